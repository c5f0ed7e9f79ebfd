package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A person decides on the calls of an agent's tools: the shell agent asks before it runs a script.
@Section(number = "api", title = "Requests for decisions")
final class RequestsTest {
  private static final Map<String, Object> ALLOW = Map.of("decision", "allow");
  private static final Map<String, Object> DENY = Map.of("decision", "deny");
  private static final Map<String, Object> QUESTIONS = Map.of("questions", "ask");
  private static final String QUESTION =
      """
      printf '{"tool_use_id":"1","tool_name":"ask_user","tool_input":%s}' \
        '{"questions":[{"question":"Which colour?","options":[{"label":"Blue","description":"as the sky"}]}]}' |
        $AGENT_GATE 2>&1 || true
      """;

  private final Client client = Target.client();

  @BeforeEach
  void needAnAgentThatAsks() {
    assumeTrue(Target.asks(client), "nothing judges the tools of the shell agent here");
  }

  @Test
  void aScriptRunsOnlyOnceItIsAllowed() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    JsonNode request = pending(session);
    JsonNode page = session.first().poll();
    assertEquals("requires_action 1", state(page.path("thread")));
    assertEquals("[]", page.path("items").toString());
    assertEquals(5, page.path("poll_after_seconds").asInt());
    assertEquals("requires_action 1", state(session.load()));
    for (String status : List.of("working", "requires_action")) {
      assertTrue(ids("/sessions?status=" + status).contains(session.id()), status);
    }
    assertFalse(ids("/sessions?status=idle").contains(session.id()));
    JsonNode decided = decide(request, ALLOW).ok();
    assertEquals("decided", decided.path("status").asText());
    assertEquals(
        client.get("/me").ok().path("key_id"), decided.at("/decision/key_id"), decided::toString);
    assertEquals("done", session.first().completed().strip());
    assertEquals("idle 0", state(session.load()));
    assertEquals(decided, client.get(request.at("/_links/self/href").asText()).ok());
    String id = request.path("id").asText();
    assertEquals(List.of(), inbox(session, ""));
    assertEquals(List.of(id), inbox(session, "&status=decided&kind=permission"));
    assertEquals(List.of(id), ids(session.path() + "/requests"));
  }

  @Test
  void aRequestSaysWhatIsToBeDecided() {
    SessionHandle session = client.create("echo done", asked(Map.of("expires_in_days", 3)));
    JsonNode request = pending(session);
    assertEquals("permission", request.path("kind").asText());
    assertEquals("execute", request.at("/tool/kind").asText());
    assertEquals("echo done", request.at("/tool/input/command").asText(), request::toString);
    assertEquals(session.first().id(), request.path("thread_id").asText());
    assertTrue(request.path("fingerprint").asText().matches("[0-9a-f]{64}"), request::toString);
    assertTrue(request.has("decision") && request.path("decision").isNull(), request::toString);
    assertEquals(
        Duration.ofDays(3),
        Duration.between(time(request, "created_at"), time(request, "expires_at")));
    decide(request, Map.of("decision", "maybe")).invalid("decision");
    decide(request, Map.of()).invalid("decision");
    decide(request, Map.of("decision", "deny", "note", "x".repeat(4001))).invalid("note");
    decide(request, Map.of("decision", "deny", "answers", Map.of("a", "b"))).invalid("answers.a");
    Map<String, Object> unasked = Map.of("a", List.of("b"));
    decide(request, Map.of("decision", "deny", "answers", unasked)).invalid("answers");
    decide(request, Map.of("decision", "deny", "why", "so")).invalid("why");
    Map<String, Object> changed = Map.of("decision", "deny", "fingerprint", "0".repeat(64));
    decide(request, changed).refused(409, "REQUEST_CHANGED");
    Map<String, Object> same =
        Map.of("decision", "deny", "fingerprint", request.path("fingerprint"), "answers", Map.of());
    decide(request, same).ok();
  }

  @Test
  void aDenialReachesTheAgentWithItsNoteAndIsMadeOnce() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    JsonNode request = pending(session);
    Map<String, Object> no = Map.of("decision", "deny", "note", "not on a Friday");
    JsonNode decided = decide(request, no).ok();
    JsonNode page = session.first().ended();
    assertTrue(page.toString().contains("not on a Friday"), page::toString);
    assertEquals(decided, decide(request, no).ok());
    for (Map<String, Object> other : List.of(ALLOW, DENY)) {
      decide(request, other).refused(409, "ALREADY_DECIDED");
    }
  }

  /// The shell's script asks as the hook of an agent does.
  @Test
  void aPersonAnswersTheAgentsQuestion() {
    SessionHandle session = client.create(QUESTION, Map.of("permissions", QUESTIONS));
    JsonNode request = pending(session);
    assertEquals("question", request.path("kind").asText());
    assertEquals("Which colour?", request.path("title").asText());
    JsonNode question = request.at("/questions/0");
    assertEquals("1 Which colour? false true", words(question));
    assertEquals(
        "{\"value\":\"Blue\",\"label\":\"Blue\",\"description\":\"as the sky\"}",
        question.at("/options/0").toString());
    assertEquals("requires_action 1", state(session.load()));
    assertEquals(List.of(), inbox(session, "&kind=permission"));
    assertEquals(List.of(request.path("id").asText()), inbox(session, "&kind=question"));
    decide(request, ALLOW).invalid("answers");
    decide(request, Map.of("decision", "allow_session")).invalid("decision");
    decide(request, answered("Blue", "Red")).invalid("answers");
    JsonNode decided = decide(request, answered("Green")).ok();
    assertEquals("{\"1\":[\"Green\"]}", decided.at("/decision/answers").toString());
    assertEquals(decided, decide(request, answered("Green")).ok());
    decide(request, answered("Blue")).refused(409, "ALREADY_DECIDED");
    String reply = session.first().completed();
    assertTrue(reply.contains("A person has answered: \"Which colour?\"=\"Green\"."), reply);
  }

  @Test
  void whereNobodyAnswersTheAgentIsToldSo() {
    SessionHandle session = client.create(QUESTION, Map.of("permissions", QUESTIONS));
    decide(pending(session), Map.of("decision", "deny", "note", "not today")).ok();
    String said = session.first().ended().toString();
    assertTrue(said.contains("Nobody answers: not today."), said);
    Map<String, Object> unasked = Map.of("rules", List.of(Map.of("tool", "x", "policy", "deny")));
    SessionHandle alone = client.create(QUESTION, Map.of("permissions", unasked));
    String told = alone.first().ended().toString();
    assertTrue(told.contains("No person is there to answer."), told);
    assertEquals(List.of(), ids(alone.path() + "/requests"));
  }

  private static Map<String, Object> answered(String... values) {
    return Map.of("decision", "allow", "answers", Map.of("1", List.of(values)));
  }

  private static String words(JsonNode question) {
    return "%s %s %s %s"
        .formatted(
            question.path("id").asText(),
            question.path("text").asText(),
            question.path("multiple").asText(),
            question.path("free_text").asText());
  }

  @Test
  void whatIsAllowedForTheSessionIsNotAskedAgainUntilItIsTakenBack() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    JsonNode request = pending(session);
    decide(request, Map.of("decision", "allow_session")).ok();
    assertEquals("done", session.first().completed().strip());
    assertEquals("done", session.send("echo done").completed().strip());
    assertEquals(1, ids(session.path() + "/requests").size());
    String grants = session.path() + "/grants";
    String grant = client.get(grants).ok().at("/items/0/id").asText();
    assertEquals(request.path("fingerprint").asText(), grant);
    client.delete(grants + "/" + grant).expect(204);
    client.delete(grants + "/" + grant).refused(404, "NOT_FOUND");
    assertEquals(List.of(), ids(grants));
    TurnHandle third = session.send("echo done");
    decide(pending(session), DENY).ok();
    assertEquals("failed", TurnHandle.status(third.ended()));
  }

  /// Its agent has gone, and comes back with the decision.
  @Test
  void aCallWaitsForLongerThanItsAgent() {
    SessionHandle session = client.create("echo done", asked(Map.of("hold_seconds", 0)));
    JsonNode request = pending(session);
    assertEquals("requires_action 1", state(session.load()));
    decide(request, ALLOW).ok();
    assertEquals("done", session.first().completed().strip());
    assertEquals(1, ids(session.path() + "/requests").size(), "it is asked about once");
    SessionHandle closed = client.create("echo done", asked(Map.of("hold_seconds", 0)));
    pending(closed);
    client.send("POST", closed.path() + "/interrupt", null).ok();
    assertEquals("cancelled 0", state(closed.first().ended().path("thread")));
    refusedAsClosed(closed, "closed");
  }

  /// A script that has begun is not kept for its question.
  @Test
  void whatNobodyAnswersExpiresAndDoesNotRun() {
    String script = QUESTION.replace("2>&1 || true", "&& echo done >file; sleep 60");
    Map<String, Object> shortly = Map.of("questions", "ask", "hold_seconds", 1);
    SessionHandle session = client.create(script, Map.of("permissions", shortly));
    JsonNode thread = session.first().ended().path("thread");
    assertEquals("REQUEST_EXPIRED", thread.at("/error/code").asText(), thread::toString);
    assertTrue(thread.at("/error/retryable").asBoolean(), thread::toString);
    assertEquals("failed 0", state(thread));
    refusedAsClosed(session, "expired");
    assertEquals(0, session.artifacts().size());
  }

  @Test
  void anInterruptClosesWhatWaits() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    pending(session);
    client.send("POST", session.path() + "/interrupt", null).ok();
    assertEquals("cancelled 0", state(session.first().ended().path("thread")));
    refusedAsClosed(session, "closed");
    assertEquals("idle 0", state(session.load()));
  }

  @Test
  void fourEyesNeedAnotherKey() {
    SessionHandle session = client.create("echo done", asked(Map.of("four_eyes", true)));
    JsonNode request = pending(session);
    decide(request, ALLOW).refused(403, "FORBIDDEN");
    Client other = AdminClient.of(client).with("decide");
    other.post(request.at("/_links/decision/href").asText(), ALLOW).ok();
    assertEquals("done", session.first().completed().strip());
  }

  @Test
  void onlyWhoMayDecideDoesAndNobodyElseSeesIt() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    JsonNode request = pending(session);
    String decision = request.at("/_links/decision/href").asText();
    String self = request.at("/_links/self/href").asText();
    Client writer = AdminClient.of(client).with("write");
    assertEquals(request, writer.get(self).ok());
    writer.post(decision, Map.of("why", "so")).refused(403, "FORBIDDEN");
    Client other = Target.otherClient();
    other.get(self).refused(404, "NOT_FOUND");
    other.post(decision, ALLOW).refused(404, "NOT_FOUND");
    assertEquals("[]", other.get(ofSession(session)).ok().path("items").toString());
    decide(request, DENY).ok();
  }

  @Test
  void theInboxHasTheOldestFirstPageByPage() {
    List<String> made = new ArrayList<>();
    List<SessionHandle> sessions = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      SessionHandle session = client.create("echo " + number, asked(Map.of()));
      sessions.add(session);
      made.add(pending(session).path("id").asText());
    }
    List<String> paged = new ArrayList<>();
    for (String next = "/requests?limit=1"; !next.isEmpty(); ) {
      JsonNode page = client.get(next).ok();
      paged.addAll(texts(page, "id"));
      next = page.at("/_links/next/href").asText();
    }
    paged.retainAll(made);
    assertEquals(made, paged);
    sessions.forEach(session -> client.delete(session.path()).expect(204));
    assertEquals(List.of(), inbox(sessions.getFirst(), ""));
    client.get("/requests?status=open").invalid("status");
    client.get("/requests?kind=wish").invalid("kind");
    client.get("/requests?session_id=1").invalid("session_id");
    client.get("/requests?cursor=AAAA").invalid("cursor");
    client.get(sessions.getFirst().path() + "/requests?limit=0").invalid("limit");
  }

  @Test
  void eventsTellOfIt() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    JsonNode request = pending(session);
    String types = "types=thread.requires_action&types=request.created&types=request.decided";
    String events = session.path() + "/events?" + types;
    JsonNode before = client.get(events).ok();
    assertEquals(
        List.of("thread.requires_action", "request.created"), types(before), before::toString);
    assertEquals(request, before.at("/items/1/data"));
    JsonNode decided = decide(request, ALLOW).ok();
    JsonNode after = client.get(events + "&after=" + before.path("next_after").asText()).ok();
    assertEquals(List.of("request.decided"), types(after), after::toString);
    assertEquals(decided, after.at("/items/0/data"));
  }

  @Test
  void eventsTellThatItIsClosed() {
    SessionHandle session = client.create("echo done", asked(Map.of()));
    JsonNode request = pending(session);
    String events = session.path() + "/events?types=request.created&types=request.closed";
    String seen = client.get(events).ok().path("next_after").asText();
    client.send("POST", session.path() + "/interrupt", null).ok();
    JsonNode told = client.get(events + "&after=" + seen).ok();
    assertEquals(List.of("request.closed"), types(told), told::toString);
    assertEquals(request.path("id"), told.at("/items/0/data/id"));
  }

  private void refusedAsClosed(SessionHandle session, String status) {
    JsonNode request = client.get(session.path() + "/requests").ok().at("/items/0");
    assertEquals(status, request.path("status").asText(), request::toString);
    decide(request, DENY).refused(409, "REQUEST_CLOSED");
    assertEquals(List.of(request.path("id").asText()), inbox(session, "&status=" + status));
  }

  private ApiResponse decide(JsonNode request, Map<String, ?> body) {
    return client.post(request.at("/_links/decision/href").asText(), body);
  }

  /// The session's pending request, once there is one.
  private JsonNode pending(SessionHandle session) {
    return client
        .await("a request of " + session.path())
        .until(() -> client.get(ofSession(session)).ok().path("items"), items -> !items.isEmpty())
        .get(0);
  }

  private List<String> inbox(SessionHandle session, String filter) {
    return ids(ofSession(session) + filter);
  }

  private static String ofSession(SessionHandle session) {
    return "/requests?session_id=" + session.id();
  }

  private List<String> ids(String path) {
    return texts(client.get(path).ok(), "id");
  }

  private static List<String> types(JsonNode page) {
    return texts(page, "type");
  }

  private static List<String> texts(JsonNode page, String field) {
    return page.path("items").valueStream().map(item -> item.path(field).asText()).toList();
  }

  private static String state(JsonNode resource) {
    return resource.path("status").asText() + " " + resource.path("pending_requests").asInt(-1);
  }

  private static Instant time(JsonNode request, String field) {
    return Instant.parse(request.path(field).asText());
  }

  /// Held for as long as may be, unless said otherwise: a test may have others to start meanwhile.
  private static Map<String, Object> asked(Map<String, Object> how) {
    Map<String, Object> permissions = new HashMap<>(Map.of("hold_seconds", 900));
    permissions.putAll(how);
    permissions.put("default", "ask");
    return Map.of("permissions", permissions);
  }
}
