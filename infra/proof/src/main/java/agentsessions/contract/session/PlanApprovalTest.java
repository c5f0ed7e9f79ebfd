package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A person decides on a plan before it is carried out: the shell agent's plan is its script.
@Section(number = "api", title = "Plans that are approved")
final class PlanApprovalTest {
  private static final Map<String, Object> ALLOW = Map.of("decision", "allow");
  private static final Map<String, Object> PLANS = Map.of("permissions", Map.of("plan", "approve"));

  private final Client client = Target.client();

  @BeforeEach
  void needAnAgentThatPlans() {
    assumeTrue(Target.asks(client), "nothing judges the tools of the shell agent here");
  }

  @Test
  void aPlanIsCarriedOutOnceItIsAllowed() {
    SessionHandle session = client.create("echo done >file; echo done", PLANS);
    assertNotEquals("done", session.first().completed().strip());
    assertEquals("requires_action 1", state(session.load()));
    assertEquals(List.of("completed 1"), threads(session));
    JsonNode request = request(session);
    assertEquals("completed 1", state(client.get(request.at("/_links/thread/href").asText()).ok()));
    JsonNode plan = session.artifact(session.planArtifactIds().getFirst());
    assertEquals("plan pending", words(request));
    assertTrue(request.path("tool").isNull(), request::toString);
    assertEquals(plan.path("id"), request.path("plan_artifact_id"));
    assertEquals(plan.path("sha256"), request.path("fingerprint"));
    assertEquals("echo done >file; echo done", PresignedLink.content(plan));
    assertEquals(
        Duration.ofDays(7),
        Duration.between(time(request, "created_at"), time(request, "expires_at")));
    assertEquals(1, listed("/requests?kind=plan&session_id=" + session.id()).size());
    assertEquals(0, listed("/requests?kind=permission&session_id=" + session.id()).size());
    client.decide(request, Map.of("decision", "allow_session")).invalid("decision");
    client.post(request.at("/_links/decision/href").asText(), ALLOW).invalid("fingerprint");
    JsonNode decided = client.decide(request, ALLOW).ok();
    assertEquals("done", current(session).completed().strip());
    assertEquals("idle 0", state(session.load()));
    assertEquals("file", session.artifactNamed("file").path("file_name").asText());
    assertEquals(decided, client.decide(request, ALLOW).ok());
    assertEquals(List.of("completed 0", "completed 0"), threads(session));
    assertEquals(List.of(), listed("/requests?session_id=" + session.id()));
  }

  @Test
  void aPlanThatIsSentBackComesAgain() {
    SessionHandle session = client.create("echo one", PLANS);
    session.first().reply();
    JsonNode first = request(session);
    client.decide(first, Map.of("decision", "deny", "note", "echo two")).ok();
    current(session).reply();
    JsonNode second = request(session);
    assertNotEquals(first.path("fingerprint"), second.path("fingerprint"));
    client
        .decide(second, Map.of("decision", "allow", "fingerprint", first.path("fingerprint")))
        .refused(409, "REQUEST_CHANGED");
    client.decide(second, ALLOW).ok();
    assertEquals("two", current(session).completed().strip());
  }

  @Test
  void aDenialAloneEndsIt() {
    SessionHandle session = client.create("echo one", PLANS);
    session.first().reply();
    assertTrue(isListed(session, "working"));
    assertTrue(isListed(session, "requires_action"));
    client.decide(request(session), Map.of("decision", "deny")).ok();
    assertEquals("idle 0", state(session.load()));
    assertFalse(isListed(session, "working"));
    assertEquals(1, listed(session.path() + "/threads").size());
  }

  @Test
  void aNewerPlanClosesTheOlderRequest() {
    SessionHandle session = client.create("echo one", PLANS);
    session.first().reply();
    JsonNode older = request(session);
    session.send("echo two").reply();
    client.decide(older, ALLOW).refused(409, "REQUEST_CLOSED");
    assertEquals("plan pending", words(request(session)));
    assertEquals("plan closed", words(client.get(older.at("/_links/self/href").asText()).ok()));
    TurnHandle same = session.send("echo two");
    assertEquals("PLAN_MISSING", same.ended().at("/thread/error/code").asText());
    assertEquals("idle 0", state(session.load()));
  }

  @Test
  void anInterruptClosesAPlanThatWaits() {
    SessionHandle session = client.create("echo one", PLANS);
    session.first().reply();
    JsonNode request = request(session);
    String events = session.path() + "/events?types=request.created&types=request.closed";
    String seen = client.get(events).ok().path("next_after").asText();
    client.post(session.path() + "/interrupt", Map.of("queue", "keep")).ok();
    assertEquals("plan pending", words(request(session)));
    JsonNode thread = client.send("POST", session.path() + "/interrupt", null).ok();
    assertEquals("completed 0", state(thread));
    assertEquals("idle 0", state(session.load()));
    JsonNode closed = client.get(request.at("/_links/self/href").asText()).ok();
    assertEquals("plan closed", words(closed));
    client.decide(request, ALLOW).refused(409, "REQUEST_CLOSED");
    assertEquals(List.of(), listed("/requests?session_id=" + session.id()));
    JsonNode told = client.get(events + "&after=" + seen).ok().path("items");
    assertEquals("request.closed", told.at("/0/type").asText(), told::toString);
    assertEquals(closed, told.at("/0/data"));
    JsonNode same = session.load();
    assertEquals(thread, client.send("POST", session.path() + "/interrupt", null).ok());
    assertEquals(same, session.load());
  }

  private JsonNode request(SessionHandle session) {
    return listed(session.path() + "/requests").getFirst();
  }

  private TurnHandle current(SessionHandle session) {
    return new TurnHandle(client, session.load().at("/_links/latest_final_message/href").asText());
  }

  private List<JsonNode> listed(String path) {
    return client.get(path).ok().path("items").valueStream().toList();
  }

  private List<String> threads(SessionHandle session) {
    return listed(session.path() + "/threads").stream().map(PlanApprovalTest::state).toList();
  }

  private boolean isListed(SessionHandle session, String status) {
    return listed("/sessions?limit=100&status=" + status).stream()
        .anyMatch(each -> each.path("id").asText().equals(session.id()));
  }

  private static String words(JsonNode request) {
    return request.path("kind").asText() + " " + request.path("status").asText();
  }

  /// That of a session or a thread.
  private static String state(JsonNode now) {
    return now.path("status").asText() + " " + now.path("pending_requests").asInt(-1);
  }

  private static Instant time(JsonNode request, String field) {
    return Instant.parse(request.path(field).asText());
  }
}
