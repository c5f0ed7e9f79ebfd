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
    JsonNode request = session.pending();
    TurnHandle a = session.queue("echo a");
    TurnHandle b = session.queue("echo b");
    assertEquals(2, session.thread(b).path("position").asInt());
    JsonNode gone = session.cancel(a).ok();
    assertEquals("cancelled", gone.path("status").asText(), gone::toString);
    assertEquals(1, session.thread(b).path("position").asInt());
    session.cancel(session.first()).refused(409, "THREAD_STARTED");
    assertEquals(session.first().id(), session.load().path("running_thread_id").asText());
    decide(request).ok();
    assertEquals("done", session.first().completed().strip());
    decide(session.pending()).ok();
    assertEquals("b", b.completed().strip());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void itIsChangedAndExported(int holdSeconds) {
    SessionHandle session = waiting(holdSeconds);
    JsonNode request = session.pending();
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
    JsonNode request = session.pending();
    TurnHandle more = session.send("echo more");
    assertEquals("interrupted", TurnHandle.status(session.first().ended()));
    JsonNode closed = client.get(request.at("/_links/self/href").asText()).ok();
    assertEquals("closed", closed.path("status").asText(), closed::toString);
    decide(request).refused(409, "REQUEST_CLOSED");
    decide(session.pending()).ok();
    assertEquals("more", more.completed().strip());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void aDeletionTakesItsRequestAway(int holdSeconds) {
    SessionHandle session = waiting(holdSeconds);
    JsonNode request = session.pending();
    client.delete(session.path()).expect(204);
    client.get(request.at("/_links/self/href").asText()).refused(404, "NOT_FOUND");
    decide(request).refused(404, "NOT_FOUND");
    for (String status : new String[] {"", "&status=closed"}) {
      JsonNode inbox = client.get(session.inbox() + status).ok();
      assertEquals("[]", inbox.path("items").toString());
    }
  }

  private SessionHandle waiting(int holdSeconds) {
    Map<String, Object> asking = Map.of("default", "ask", "hold_seconds", holdSeconds);
    return client.create("echo done", Map.of("permissions", asking));
  }

  private ApiResponse decide(JsonNode request) {
    return client.decide(request, Map.of("decision", "allow"));
  }

  private static String state(JsonNode session) {
    return "%s %s %d"
        .formatted(
            session.path("title").asText(),
            session.path("status").asText(),
            session.path("pending_requests").asInt(-1));
  }
}
