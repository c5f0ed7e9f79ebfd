package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Section 2.3: each user message starts a thread, which can be read by itself.
@Section(number = "2.3", title = "Threads")
final class ThreadsTest {
  private static final Set<String> FIELDS =
      Set.of(
          "id",
          "session_id",
          "sandbox",
          "model",
          "repositories",
          "usage",
          "status",
          "error",
          "position",
          "pending_requests",
          "superseded_by",
          "created_at",
          "started_at",
          "ended_at",
          "_links");

  private final Client client = Target.client();

  @Test
  void aThreadHasAllItsFields() {
    SessionHandle session = client.create("echo hello");
    session.first().reply();
    JsonNode thread = session.thread(session.first());
    assertEquals(FIELDS, ApiResponse.fields(thread));
    assertEquals(session.first().id(), thread.path("id").asText());
    assertEquals(session.id(), thread.path("session_id").asText());
    assertEquals("completed", thread.path("status").asText());
    assertTrue(thread.path("error").isNull() && thread.path("superseded_by").isNull());
    assertTrue(
        thread.path("created_at").asText().compareTo(thread.path("started_at").asText()) <= 0);
    assertTrue(thread.path("started_at").asText().compareTo(thread.path("ended_at").asText()) <= 0);
  }

  @Test
  void aThreadHasNotEndedWhileItsAgentWorks() {
    SessionHandle session = client.create("sleep 300");
    JsonNode thread = session.thread(session.first().running());
    assertEquals("running", thread.path("status").asText());
    assertFalse(thread.path("started_at").isNull());
    assertTrue(thread.path("ended_at").isNull());
    client.send("POST", session.path() + "/interrupt", null).ok();
  }

  @Test
  void theThreadInAPageIsTheThreadItself() {
    SessionHandle session = client.create("echo hello");
    session.first().reply();
    assertEquals(
        settled(session.thread(session.first())), settled(session.first().poll().path("thread")));
  }

  @Test
  void everyLinkOfAThreadCanBeFollowed() {
    SessionHandle session = client.create("echo hello");
    JsonNode links = session.thread(session.first()).path("_links");
    assertEquals(Set.of("self", "messages", "final_message"), ApiResponse.fields(links));
    for (JsonNode link : links) {
      client.get(link.path("href").asText()).ok();
    }
    assertEquals(session.first().link(), links.at("/final_message/href").asText());
  }

  @Test
  void theMessagesOfAThreadAreItsQuestionAndItsAnswer() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    TurnHandle second = session.send("echo two");
    second.reply();
    JsonNode page = client.get(session.path(second) + "/messages").ok();
    assertEquals(List.of("user", "assistant"), page.path("items").findValuesAsText("role"));
    assertEquals("echo two", page.at("/items/0/message").asText());
    assertEquals("two", page.at("/items/1/message").asText().strip());
  }

  @Tag("stack")
  @Test
  void theThreadsOfASessionAreListedByTime() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    TurnHandle second = session.send("echo two");
    JsonNode page = client.get(session.path() + "/threads").ok();
    Set<String> listed = Set.copyOf(page.path("items").findValuesAsText("id"));
    assertEquals(Set.of(session.first().id(), second.id()), listed);
  }

  @Test
  void aThreadOfAnotherSessionDoesNotExist() {
    SessionHandle session = client.create("echo one");
    TurnHandle foreign = client.create("echo two").first();
    client.get(session.path(foreign)).refused(404, "NOT_FOUND");
    client.get(session.path(foreign) + "/messages").refused(404, "NOT_FOUND");
    client.get(session.path() + "/threads/" + Client.unknownId()).refused(404, "NOT_FOUND");
  }

  /// The thread without the fields that may still change after its end: whether the sandbox has
  /// been saved, and the usage.
  private static JsonNode settled(JsonNode thread) {
    return ((ObjectNode) thread.deepCopy()).without(List.of("sandbox", "usage"));
  }
}
