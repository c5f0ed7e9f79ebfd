package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The answers of a session whose turn waits for a person's decision: the same, whether its agent
/// waits too or has gone.
@Section(number = "api", title = "Sessions that wait for a decision")
final class WaitingSessionsTest {
  private final Client client = Target.client();

  @BeforeEach
  void needAnAgentThatAsks() {
    assumeTrue(Target.asks(client), "nothing judges the tools of the shell agent here");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void messagesQueueBehindIt(int holdSeconds) {
    SessionHandle session = waiting(holdSeconds);
    JsonNode request = pending(session);
    TurnHandle a = queue(session, "echo a");
    TurnHandle b = queue(session, "echo b");
    assertEquals(2, thread(session, b).path("position").asInt());
    JsonNode gone = cancel(session, a).ok();
    assertEquals("cancelled", gone.path("status").asText(), gone::toString);
    assertEquals(1, thread(session, b).path("position").asInt());
    cancel(session, session.first()).refused(409, "THREAD_STARTED");
    assertEquals(session.first().id(), session.load().path("running_thread_id").asText());
    decide(request).ok();
    assertEquals("done", session.first().completed().strip());
    decide(pending(session)).ok();
    assertEquals("b", b.completed().strip());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void itIsChangedAndExported(int holdSeconds) {
    SessionHandle session = waiting(holdSeconds);
    JsonNode request = pending(session);
    JsonNode changed = client.patch(session.path(), Map.of("title", "It waits")).ok();
    assertEquals("It waits requires_action 1", state(changed));
    String export = client.send("POST", session.path() + "/exports", null).expect(202).text("/id");
    JsonNode ready =
        client
            .await("the export")
            .until(
                () -> client.get(session.path() + "/exports/" + export).ok(),
                now -> !now.path("status").asText().equals("working"));
    assertEquals("ready", ready.path("status").asText(), ready::toString);
    assertEquals("It waits requires_action 1", state(session.load()));
    decide(request).ok();
    assertEquals("done", session.first().completed().strip());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void aMessageThatInterruptsEndsTheWait(int holdSeconds) {
    SessionHandle session = waiting(holdSeconds);
    JsonNode request = pending(session);
    TurnHandle more = session.send("echo more");
    assertEquals("interrupted", TurnHandle.status(session.first().ended()));
    JsonNode closed = client.get(request.at("/_links/self/href").asText()).ok();
    assertEquals("closed", closed.path("status").asText(), closed::toString);
    decide(request).refused(409, "REQUEST_CLOSED");
    decide(pending(session)).ok();
    assertEquals("more", more.completed().strip());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void aDeletionTakesItsRequestAway(int holdSeconds) {
    SessionHandle session = waiting(holdSeconds);
    JsonNode request = pending(session);
    client.delete(session.path()).expect(204);
    client.get(request.at("/_links/self/href").asText()).refused(404, "NOT_FOUND");
    decide(request).refused(404, "NOT_FOUND");
    for (String status : new String[] {"", "&status=closed"}) {
      JsonNode inbox = client.get(ofSession(session) + status).ok();
      assertEquals("[]", inbox.path("items").toString());
    }
  }

  private SessionHandle waiting(int holdSeconds) {
    Map<String, Object> asking = Map.of("default", "ask", "hold_seconds", holdSeconds);
    return client.create("echo done", Map.of("permissions", asking));
  }

  /// The session's pending request, once there is one.
  private JsonNode pending(SessionHandle session) {
    return client
        .await("a request of " + session.path())
        .until(() -> client.get(ofSession(session)).ok().path("items"), items -> !items.isEmpty())
        .get(0);
  }

  private ApiResponse decide(JsonNode request) {
    return client.post(request.at("/_links/decision/href").asText(), Map.of("decision", "allow"));
  }

  private ApiResponse cancel(SessionHandle session, TurnHandle turn) {
    return client.send("POST", path(session, turn) + "/cancel", null);
  }

  private static TurnHandle queue(SessionHandle session, String message) {
    return session.send(message, Map.of("on_running", "queue"));
  }

  private JsonNode thread(SessionHandle session, TurnHandle turn) {
    return client.get(path(session, turn)).ok();
  }

  private static String path(SessionHandle session, TurnHandle turn) {
    return session.path() + "/threads/" + turn.id();
  }

  private static String ofSession(SessionHandle session) {
    return "/requests?session_id=" + session.id();
  }

  private static String state(JsonNode session) {
    return "%s %s %d"
        .formatted(
            session.path("title").asText(),
            session.path("status").asText(),
            session.path("pending_requests").asInt(-1));
  }
}
