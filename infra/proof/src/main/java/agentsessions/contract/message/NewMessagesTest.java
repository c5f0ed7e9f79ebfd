package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Section 4.5: a history is followed by its `new_messages` links.
@Section(number = "4.5", title = "Follow new messages")
final class NewMessagesTest {
  private final Client client = Target.client();

  @Test
  void newMessagesLeadsToWhatCameAfter() {
    SessionHandle other = client.create("echo one");
    other.first().reply();
    String link = link(other.messages("?role=assistant&limit=100"), "new_messages");
    JsonNode nothing = client.get(link).ok();
    assertEquals("[]", nothing.path("items").toString());
    other.send("echo two").reply();
    assertEquals(List.of("two"), texts(client.get(link(nothing, "new_messages")).ok()));
    assertEquals(List.of("two"), texts(client.get(link).ok()));
  }

  @Tag("stack")
  @Test
  void newMessagesFollowedWhileATurnRunsMissesAndRepeatsNothing() {
    SessionHandle other = client.create("echo first; sleep 1; echo last");
    List<String> seen = new ArrayList<>();
    AtomicReference<String> link = new AtomicReference<>(other.path() + "/messages");
    SuiteTiming.until(
        "question and answer",
        () -> {
          JsonNode page = client.get(link.get()).ok();
          seen.addAll(texts(page));
          link.set(link(page, "new_messages"));
          return Optional.of(seen).filter(all -> all.contains("first\nlast"));
        });
    assertEquals(texts(other.messages("")), seen);
  }

  /// A script's last line belongs to the reply alone, however long the script is silent after it.
  @Test
  void whatIsAllOfTheReplyIsNotShownBeforeIt() {
    SessionHandle other = client.create("echo only; sleep 1.5");
    other.first().reply();
    assertEquals(List.of("only"), texts(other.messages("?role=assistant")));
  }

  private static List<String> texts(JsonNode page) {
    return page.path("items").findValuesAsText("message").stream().map(String::strip).toList();
  }

  private static String link(JsonNode page, String name) {
    return page.at("/_links/" + name + "/href").asText();
  }
}
