package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Live events of a session: they come while it happens, and agree with the listings.
@Section(number = "api", title = "Live events")
final class EventsTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void whatHappenedIsWhatTheListingsSay() {
    SessionHandle session =
        client.create("echo looking; echo plan > PLAN.md; sleep 0.3; echo done");
    session.first().reply();
    JsonNode page = events(session, "");
    List<String> said =
        durable(page, "message.created").stream().map(data -> data.path("id").asText()).toList();
    assertEquals(
        ids(session.messages("?type=message&type=tool_call&type=final_message").path("items")),
        said);
    List<JsonNode> artifacts = durable(page, "artifact.created");
    assertEquals(
        ids(session.artifacts()), artifacts.stream().map(one -> one.path("id").asText()).toList());
    assertEquals("plan\n", PresignedLink.content(artifacts.getFirst()));
    JsonNode thread = durable(page, "thread.completed").getFirst();
    assertEquals(session.first().id(), thread.path("id").asText());
  }

  @Test
  void whoGoesOnFromTheLastPageHearsOnlyWhatIsNew() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    JsonNode first = events(session, "");
    JsonNode nothing = events(session, "?after=" + first.path("next_after").asText());
    assertEquals("[]", nothing.path("items").toString());
    session.send("echo two").reply();
    List<JsonNode> said =
        durable(
            events(session, "?after=" + nothing.path("next_after").asText()), "message.created");
    assertEquals("echo two", said.getFirst().path("message").asText());
    assertEquals("two", said.getLast().path("message").asText().strip());
  }

  @Tag("stack")
  @Test
  void aWaitEndsWhenSomethingHappens() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    String after = events(session, "").path("next_after").asText();
    CompletableFuture<JsonNode> waiting =
        CompletableFuture.supplyAsync(
            () -> events(session, "?wait=20&types=message.created&after=" + after));
    session.send("echo two");
    assertEquals(
        "echo two", durable(waiting.join(), "message.created").getFirst().path("message").asText());
  }

  @Test
  void aSnapshotIsWhereToBegin() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    JsonNode page = events(session, "?snapshot=true");
    assertEquals("[]", page.path("items").toString());
    assertEquals(session.load(), page.at("/snapshot/session"));
    assertEquals(session.first().id(), page.at("/snapshot/thread/id").asText());
    TurnHandle next = session.send("echo two");
    next.reply();
    JsonNode since = events(session, "?after=" + page.at("/snapshot/cursor").asText());
    assertEquals(2, durable(since, "message.created").size());
    assertEquals(next.id(), durable(since, "thread.completed").getFirst().path("id").asText());
  }

  @Tag("stack")
  @Test
  void aStreamSaysTheSameAndHowToGoOn() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    ApiResponse stream =
        client.get(
            session.path() + "/threads/" + session.first().id() + "/events",
            "Accept",
            "text/event-stream");
    stream.expect(200);
    assertTrue(stream.header("Content-Type").startsWith("text/event-stream"), stream::toString);
    List<String> names = stream.body().lines().filter(line -> line.startsWith("event: ")).toList();
    assertEquals(
        List.of(
            "event: message.created",
            "event: message.created",
            "event: thread.completed",
            "event: end"),
        names);
    assertTrue(stream.body().endsWith("data: {\"reason\":\"final\"}\n\n"), stream::toString);
    String last = stream.body().lines().filter(line -> line.startsWith("id: ")).toList().getLast();
    JsonNode rest = client.get(session.path() + "/events", "Last-Event-ID", last.substring(4)).ok();
    assertFalse(rest.findValuesAsText("type").contains("message.created"), rest::toString);
  }

  @Test
  void aCursorIsOfItsSessionOnly() {
    SessionHandle one = client.create("echo one");
    SessionHandle other = client.create("echo other");
    String foreign = events(other, "").path("next_after").asText();
    client.get(one.path() + "/events?after=" + foreign).invalid("after");
    client.get(one.path() + "/events", "Last-Event-ID", foreign).invalid("Last-Event-ID");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "after=x",
        "types=none",
        "types=message.created,thread.failed",
        "wait=21",
        "wait=-1",
        "snapshot=yes"
      })
  void oddQuestionsAreRefused(String query) {
    SessionHandle session = client.create("echo one");
    client.get(session.path() + "/events?" + query).invalid(query.replaceAll("=.*", ""));
    client
        .get(session.path() + "/threads/" + session.first().id() + "/events?" + query)
        .invalid(query.replaceAll("=.*", ""));
  }

  @Test
  void aThreadOfAnotherSessionIsNone() {
    SessionHandle one = client.create("echo one");
    SessionHandle other = client.create("echo other");
    client.get(one.path() + "/threads/" + other.first().id() + "/events").refused(404, "NOT_FOUND");
  }

  private JsonNode events(SessionHandle session, String query) {
    return client.get(session.path() + "/events" + query).ok();
  }

  private static List<JsonNode> durable(JsonNode page, String type) {
    List<JsonNode> found = new ArrayList<>();
    page.path("items")
        .forEach(event -> {
          if (event.path("type").asText().equals(type)) {
            assertTrue(event.has("id"), event::toString);
            found.add(event.path("data"));
          }
        });
    return found;
  }

  private static List<String> ids(JsonNode items) {
    List<String> ids = new ArrayList<>();
    items.forEach(item -> ids.add(item.path("id").asText()));
    return ids;
  }
}
