package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A person decides on what a turn would push, after the turn.
@Section(number = "api", title = "Pushes that wait")
final class PushApprovalTest {
  private static final String SECRET = "HOST_OF_PUSHES";
  private static final Map<String, Object> ALLOW = Map.of("decision", "allow");

  @TempDir Path folder;
  private final Client client = Target.client();
  private TestGitHost remote;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(Target.asks(client), "nothing judges the shell agent here");
    remote = TestGitHost.with(folder, "echo one > file; git add .; git commit -qm first");
    remote.keep(client, SECRET, GitHost.PASSWORD);
  }

  @AfterEach
  void close() {
    if (remote != null) {
      remote.close();
    }
  }

  /// Its git folder says nothing that counts, not even where git itself refuses to read it.
  @Test
  void whatIsSeenIsPushedOnceItIsAllowed() {
    SessionHandle session =
        create(
            "echo two >> file; git push -q origin HEAD:agent/mine 2>&1 || true; echo '[[[' > .git/config",
            Map.of());
    JsonNode thread = session.first().ended().path("thread");
    assertEquals("completed 1", state(thread));
    assertTrue(session.first().text().contains("decides on the pushes"), thread::toString);
    JsonNode repository = thread.at("/repositories/0");
    assertTrue(repository.path("pushed").isNull(), repository::toString);
    assertTrue(repository.path("error").isNull(), repository::toString);
    assertEquals("main", remote.git("for-each-ref '--format=%(refname:short)' refs/heads"));
    assertEquals("requires_action 1", state(session));
    JsonNode request = request(session);
    String branch = "agent/" + session.id().substring(0, 8);
    JsonNode pushed = request.at("/tool/input/repositories/0");
    assertEquals("push pending", words(request));
    assertTrue(request.path("enforced").asBoolean(), request::toString);
    assertTrue(request.path("title").asText().contains("app to " + branch), request::toString);
    assertEquals(remote.url(), pushed.path("url").asText());
    assertEquals(branch, pushed.path("branch").asText());
    assertEquals(
        session.artifact(repository.path("patch_artifact_id").asText()).path("sha256"),
        pushed.path("patch_sha256"));
    assertEquals(
        Duration.ofDays(3),
        Duration.between(time(request, "created_at"), time(request, "expires_at")));
    assertEquals(1, listed("/requests?kind=push&session_id=" + session.id()).size());
    client
        .decide(request, Map.of("decision", "allow", "fingerprint", "0".repeat(64)))
        .refused(409, "REQUEST_CHANGED");
    assertEquals(remote.git("rev-parse main"), pushed.path("base_commit").asText());
    JsonNode decided = client.decide(request, ALLOW).ok();
    JsonNode after = done(session).at("/repositories/0");
    assertEquals(branch, after.at("/pushed/branch").asText(), after::toString);
    assertEquals(remote.git("rev-parse " + branch), after.at("/pushed/commit").asText());
    assertEquals("two", remote.git("show %s:file | tail -1".formatted(branch)));
    assertEquals(remote.git("rev-parse %s^{tree}".formatted(branch)), pushed.path("tree").asText());
    assertEquals("idle 0", state(session));
    assertEquals(decided, client.decide(request, ALLOW).ok());
    client.decide(request, Map.of("decision", "deny")).refused(409, "ALREADY_DECIDED");
    assertEquals(
        List.of("completed 0"),
        listed(session.path() + "/threads").stream().map(PushApprovalTest::state).toList());
    session.send("true").completed();
    assertEquals("idle 0", state(session), "what was pushed is not asked about again");
  }

  @Test
  void whatIsDeniedIsNotPushed() {
    SessionHandle session = create("echo two >> file", Map.of());
    session.first().completed();
    client.decide(request(session), Map.of("decision", "deny", "note", "Not yet.")).ok();
    JsonNode error = session.load().at("/repositories/0/error");
    assertEquals("PUSH_REFUSED", error.path("code").asText());
    assertTrue(error.path("message").asText().contains("Not yet."), error::toString);
    assertEquals("idle 0", state(session));
    assertEquals("main", remote.git("for-each-ref '--format=%(refname:short)' refs/heads"));
    assertEquals(1, listed(session.path() + "/threads").size());
  }

  @Test
  void whatIsAllowedForTheSessionIsPushedByLaterTurns() {
    SessionHandle session =
        create("echo two >> file", Map.of("provider", "gitea", "pull_request", Map.of()));
    session.first().completed();
    client.decide(request(session), Map.of("decision", "allow_session")).ok();
    JsonNode first = done(session).at("/repositories/0");
    assertEquals(
        remote.pullRequests().get(0).path("html_url"), session.load().at("/pull_requests/0"));
    JsonNode next = session.send("echo three >> file").ended().at("/thread/repositories/0");
    assertNotEquals(first.at("/pushed/commit"), next.at("/pushed/commit"));
    assertEquals(
        remote.git("rev-parse " + next.at("/pushed/branch").asText()),
        next.at("/pushed/commit").asText());
    assertEquals("idle 0", state(session));
    JsonNode grant = listed(session.path() + "/grants").getFirst();
    assertEquals("push", grant.at("/tool/kind").asText());
    client
        .send("DELETE", session.path() + "/grants/" + grant.path("id").asText(), null)
        .expect(204);
    session.send("echo four >> file").completed();
    assertEquals("push pending", words(request(session)));
  }

  @Test
  void aMessageClosesItAndItsTurnAsksAnew() {
    SessionHandle session = create("echo two >> file", Map.of());
    session.first().completed();
    JsonNode older = request(session);
    client
        .post(session.path() + "/pull-requests", Map.of("path", "app", "provider", "gitea"))
        .refused(409, "SESSION_BUSY");
    session.send("echo three >> file").completed();
    client.decide(older, ALLOW).refused(409, "REQUEST_CLOSED");
    JsonNode newer = request(session);
    assertEquals("push pending", words(newer));
    assertNotEquals(older.path("fingerprint"), newer.path("fingerprint"));
  }

  @Test
  void aPullRequestThatIsAskedForAfterwardsWaitsToo() {
    Map<String, Object> repository = new HashMap<>(remote.asked(SECRET));
    SessionHandle session = created("echo two >> file", repository);
    session.first().completed();
    assertEquals("idle 0", state(session));
    client
        .post(session.path() + "/pull-requests", Map.of("path", "app", "provider", "gitea"))
        .expect(202);
    JsonNode before = done(session).at("/repositories/0");
    assertTrue(before.path("error").isNull(), before::toString);
    assertEquals("requires_action 1", state(session));
    JsonNode request = request(session);
    assertTrue(request.at("/tool/input/repositories/0/pull_request").asBoolean());
    assertEquals(session.first().id(), request.path("thread_id").asText());
    client.decide(request, ALLOW).ok();
    JsonNode after = done(session).at("/repositories/0");
    assertEquals(1, remote.pullRequests().size(), after::toString);
    assertEquals("agent/" + session.id().substring(0, 8), after.at("/pushed/branch").asText());
  }

  /// No rule is about pushes: it is the plan that nobody has approved yet.
  @Test
  void aTurnThatOnlyPlansLeavesItsPushToTheNext() {
    Map<String, Object> repository = new HashMap<>(remote.asked(SECRET));
    repository.put("push", Map.of("provider", "gitea", "pull_request", Map.of()));
    Map<String, ?> asked =
        Map.of(
            "repositories", List.of(repository),
            "environment", Map.of("setup", "echo two >> app/file"),
            "permissions", Map.of("plan", "approve"));
    SessionHandle session = client.create("echo three >> file", asked);
    JsonNode planned = session.first().ended().at("/thread/repositories/0");
    assertTrue(planned.path("patch_artifact_id").isTextual(), planned::toString);
    assertTrue(planned.path("pushed").isNull(), planned::toString);
    assertEquals("main", remote.git("for-each-ref '--format=%(refname:short)' refs/heads"));
    assertEquals(0, remote.pullRequests().size());
    client.decide(request(session), ALLOW).ok();
    String next = session.load().at("/_links/latest_final_message/href").asText();
    JsonNode done = new TurnHandle(client, next).ended().at("/thread/repositories/0");
    String branch = done.at("/pushed/branch").asText();
    assertEquals("one\ntwo\nthree", remote.git("show %s:file".formatted(branch)));
    assertEquals(1, remote.pullRequests().size());
  }

  private SessionHandle create(String script, Map<String, ?> push) {
    Map<String, Object> repository = new HashMap<>(remote.asked(SECRET));
    repository.put("push", push);
    return created(script, repository);
  }

  private SessionHandle created(String script, Map<String, ?> repository) {
    Map<String, ?> asks =
        Map.of("rules", List.of(Map.of("kind", "push", "policy", "ask")), "expires_in_days", 3);
    return client.create(script, Map.of("repositories", List.of(repository), "permissions", asks));
  }

  private JsonNode request(SessionHandle session) {
    return listed(session.path() + "/requests").getFirst();
  }

  private JsonNode done(SessionHandle session) {
    return client.await("the end of the job").until(session::load, now -> now.path("job").isNull());
  }

  private List<JsonNode> listed(String path) {
    return client.get(path).ok().path("items").valueStream().toList();
  }

  private static String words(JsonNode request) {
    return request.path("kind").asText() + " " + request.path("status").asText();
  }

  private static String state(SessionHandle session) {
    return state(session.load());
  }

  /// That of a session or a thread.
  private static String state(JsonNode now) {
    return now.path("status").asText() + " " + now.path("pending_requests").asInt(-1);
  }

  private static Instant time(JsonNode request, String field) {
    return Instant.parse(request.path(field).asText());
  }
}
