package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sections 2.2 and 4.2: the answers of a reply link while the agent works, and once the turn has
/// ended.
@Section(number = "4.2", title = "Poll for the reply")
final class PollingTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void theReplyLinkIsTheThreadsListOfFinalMessages() {
    SessionHandle session = client.create("echo hello");
    String thread = session.created().path("thread_id").asText();
    assertEquals(
        client.base()
            + session.path()
            + "/threads/"
            + thread
            + "/messages?type=final_message&role=assistant",
        session.first().link());
  }

  @Test
  void itemsAreEmptyUntilTheReplyIsComplete() {
    SessionHandle session = client.create("echo half; echo and going on; sleep 300; echo whole");
    session.first().awaitTranscript("half");
    JsonNode page = session.first().poll();
    assertEquals("running", TurnHandle.status(page));
    assertEquals("[]", page.path("items").toString());
    assertTrue(page.path("poll_after_seconds").asDouble() > 0, page::toString);
    client.send("POST", session.path() + "/interrupt", null).ok();
  }

  @Test
  void theFirstItemIsTheReply() {
    SessionHandle session = client.create("printf 'Grüße, 😀'");
    JsonNode reply = session.first().reply();
    assertEquals("Grüße, 😀", reply.path("message").asText());
    assertEquals("assistant", reply.path("role").asText());
    assertEquals("final_message", reply.path("type").asText());
    assertEquals("completed", reply.path("outcome").asText());
    assertEquals(session.id(), reply.path("session_id").asText());
    assertEquals(session.first().id(), reply.path("thread_id").asText());
  }

  @Test
  void thereIsOneReplyAndTheSamePageForEver() {
    TurnHandle turn = client.create("echo hello").first();
    JsonNode reply = turn.reply();
    // The thread may still change until the sandbox is saved, the items never do.
    JsonNode page =
        SuiteTiming.until(
            "a settled turn",
            () ->
                Optional.of(turn.poll())
                    .filter(each -> !each.at("/thread/sandbox").asText().equals("saving")));
    assertEquals(1, page.path("items").size());
    assertEquals(reply, page.at("/items/0"));
    assertEquals("completed", TurnHandle.status(page));
    assertFalse(page.has("poll_after_seconds"), page::toString);
    assertEquals(page, turn.poll());
  }

  @Tag("stack")
  @Test
  void aFailedTurnEndsANaiveLoopWithASentence() {
    TurnHandle turn = client.create("echo some trouble >&2; exit 3").first();
    JsonNode reply = turn.reply();
    assertEquals("final_message", reply.path("type").asText());
    assertEquals("failed", reply.path("outcome").asText());
    assertTrue(reply.path("message").asText().strip().contains(" "), reply::toString);
  }

  @Test
  void aFailedTurnSaysWhy() {
    TurnHandle turn = client.create("echo some trouble >&2; exit 3").first();
    turn.reply();
    JsonNode thread = turn.poll().path("thread");
    assertEquals("failed", thread.path("status").asText());
    assertEquals("AGENT_FAILED", thread.at("/error/code").asText());
    assertTrue(thread.at("/error/message").asText().contains("some trouble"), thread::toString);
    assertTrue(thread.at("/error/message").asText().contains("3"), thread::toString);
    assertTrue(thread.at("/error/retryable").isBoolean(), thread::toString);
  }

  @Test
  void aScriptThatPrintsNothingHasDoneWell() {
    TurnHandle turn = client.create("true").first();
    assertEquals("completed", turn.reply().path("outcome").asText());
    assertEquals("(no output)", turn.text());
  }

  @Test
  void aSessionGoesOnAfterAFailedTurn() {
    SessionHandle session = client.create("exit 1");
    session.first().reply();
    assertEquals("here again", session.send("echo here again").text().strip());
  }

  @Tag("stack")
  @Test
  void aReplyOfMoreThanOneMebibyteIsCutWithANote() {
    SessionHandle session = client.create("yes 0123456 | head -c 1200000");
    String text = session.first().text();
    assertTrue(text.startsWith("0123456\n0123456\n"));
    assertTrue(text.length() > 1_000_000 && text.length() <= 1_048_576 + 500, "" + text.length());
    assertTrue(
        session.texts("?type=message&role=assistant").stream().anyMatch(t -> t.contains("1 MiB")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat <<'X'\n\"quotes\" \\ back \t tab\nX",
        "printf '\\001\\033[31mred\\033[0m'",
        "echo '<b>&amp;'"
      })
  void oddCharactersInAReplyDoNoHarm(String script) {
    assertEquals("completed", client.create(script).first().reply().path("outcome").asText());
  }
}
