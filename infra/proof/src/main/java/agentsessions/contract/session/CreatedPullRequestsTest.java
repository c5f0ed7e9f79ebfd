package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A pull request of a session's changes, asked for when its turns are over.
@Section(number = "api", title = "Pull requests, afterwards")
final class CreatedPullRequestsTest {
  private static final String SECRET = "HOST_OF_PULLS";

  @TempDir Path folder;
  private final Client client = Target.client();
  private TestGitHost remote;

  @BeforeEach
  void open() throws IOException {
    remote = TestGitHost.with(folder, "echo one > file; git add .; git commit -qm first");
    remote.keep(client, SECRET, GitHost.PASSWORD);
  }

  @AfterEach
  void close() {
    if (remote != null) {
      remote.close();
    }
  }

  @Tag("stack")
  @Test
  void theLastPatchIsPushedAndItsPullRequestIsMadeOnce() {
    SessionHandle session = changed();
    JsonNode before = session.messages("");
    Map<String, ?> asked =
        Map.of("path", "app", "provider", "gitea", "title", "A title", "draft", true);
    ApiResponse accepted = send(session, asked, "Idempotency-Key", "once").expect(202);
    assertEquals(session.id(), accepted.text("/session_id"));
    JsonNode repository = done(session).at("/repositories/0");
    String branch = "agent/" + session.id().substring(0, 8);
    assertTrue(repository.path("error").isNull(), repository::toString);
    assertEquals(branch, repository.at("/pushed/branch").asText());
    assertEquals(remote.git("rev-parse " + branch), repository.at("/pushed/commit").asText());
    assertEquals("two", remote.git("show %s:file | tail -1".formatted(branch)));
    assertEquals("A title", remote.git("log -1 --format=%s " + branch));
    assertEquals("WIP: A title", remote.pullRequests().get(0).path("title").asText());
    JsonNode url = remote.pullRequests().get(0).path("html_url");
    assertEquals(url, session.load().at("/pull_requests/0"));
    assertEquals(url, repository.path("pull_request_url"), repository::toString);
    ApiResponse again = send(session, asked, "Idempotency-Key", "once").expect(202);
    assertEquals("true", again.header("Idempotent-Replayed"));
    assertEquals(accepted.json(), again.json());
    send(session, Map.of("path", "app"), "Idempotency-Key", "once").invalid("provider");
    send(session, Map.of("path", "app", "provider", "gitea"), "Idempotency-Key", "once")
        .refused(409, "IDEMPOTENCY_KEY_REUSED");
    send(session, asked).expect(202);
    JsonNode repeated = done(session).at("/repositories/0");
    assertTrue(repeated.path("error").isNull(), repeated::toString);
    assertEquals(1, remote.pullRequests().size(), remote.pullRequests()::toString);
    assertEquals(before, session.messages(""), "no part of the history");
    assertEquals(1, client.get(session.path() + "/threads").ok().path("items").size());
    JsonNode next = session.send("true").ended().at("/thread/repositories/0");
    assertEquals(repeated.path("pushed"), next.path("pushed"), next::toString);
    assertEquals(url, session.load().at("/pull_requests/0"));
  }

  @Test
  void whatCannotBePushedIsRefusedAtOnce() {
    SessionHandle idle = create("true", remote.asked(SECRET));
    idle.first().ended();
    send(idle, Map.of("path", "other")).invalid("path");
    send(idle, Map.of("path", "app")).invalid("provider");
    Map<String, ?> asked = Map.of("path", "app", "provider", "gitea");
    send(idle, asked).refused(409, "NOTHING_TO_PUSH");
    SessionHandle working = create("echo two >> file; sleep 300", remote.asked(SECRET));
    working.first().running();
    send(working, asked).refused(409, "SESSION_BUSY");
    remote.host().open();
    SessionHandle open = create("echo two >> file", Map.of("url", remote.url()));
    open.first().ended();
    send(open, asked).refused(409, "NO_CREDENTIAL");
    client.post("/sessions/" + Client.unknownId() + "/pull-requests", asked).expect(404);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 900})
  void aSessionThatWaitsForADecisionIsBusy(int holdSeconds) {
    assumeTrue(Target.asks(client), "nothing judges the shell agent here");
    Map<String, ?> asking = Map.of("default", "ask", "hold_seconds", holdSeconds);
    SessionHandle session =
        client.create(
            "true", Map.of("repositories", List.of(remote.asked(SECRET)), "permissions", asking));
    client
        .await("the request")
        .until(session::load, now -> now.path("pending_requests").asInt() == 1);
    send(session, Map.of("path", "app", "provider", "gitea")).refused(409, "SESSION_BUSY");
    client.delete(session.path()).expect(204);
  }

  @Test
  void aRuleForPushesHoldsForItToo() {
    assumeTrue(Target.asks(client), "nothing judges the shell agent here");
    Map<String, ?> forbidden = Map.of("rules", List.of(Map.of("kind", "push", "policy", "deny")));
    SessionHandle session =
        client.create(
            "echo two >> file",
            Map.of("repositories", List.of(remote.asked(SECRET)), "permissions", forbidden));
    session.first().ended();
    send(session, Map.of("path", "app", "provider", "gitea")).expect(202);
    assertEquals("PUSH_REFUSED", done(session).at("/repositories/0/error/code").asText());
    assertEquals(0, remote.pullRequests().size(), remote.pullRequests()::toString);
  }

  @Test
  void aBranchOfOthersAndWhatNobodyHasSeenAreLeftAlone() {
    SessionHandle session = changed();
    remote.git("branch taken main");
    for (String branch : List.of("main", "taken")) {
      send(session, Map.of("path", "app", "provider", "gitea", "branch", branch)).expect(202);
      JsonNode repository = done(session).at("/repositories/0");
      assertEquals("PUSH_REFUSED", repository.at("/error/code").asText(), repository::toString);
      assertEquals("first", remote.git("log -1 --format=%s " + branch));
    }
    session.send("echo three | tee -a file; echo and on; sleep 300").awaitTranscript("three");
    client.send("POST", session.path() + "/interrupt", null).ok();
    send(session, Map.of("path", "app", "provider", "gitea")).expect(202);
    JsonNode repository = done(session).at("/repositories/0");
    assertEquals("PUSH_REFUSED", repository.at("/error/code").asText(), repository::toString);
    assertTrue(repository.at("/error/message").asText().contains("other changes"));
    assertTrue(repository.path("pushed").isNull(), repository::toString);
    assertEquals(0, remote.pullRequests().size(), remote.pullRequests()::toString);
  }

  @Test
  void aMessageWaitsForAPullRequestAndADeletionDoesNot() throws IOException {
    SessionHandle session = changed();
    Path go = holdPushes();
    Map<String, ?> asked = Map.of("path", "app", "provider", "gitea");
    send(session, asked).expect(202);
    send(session, asked).refused(409, "SESSION_BUSY");
    assertEquals("pull_request", session.load().path("job").asText());
    TurnHandle next = session.send("tail -1 file");
    assertEquals(1, next.poll().at("/thread/position").asInt());
    Files.createFile(go);
    assertEquals("two", next.text());
    assertEquals(1, remote.pullRequests().size(), remote.pullRequests()::toString);
    Files.delete(go);
    send(session, asked).expect(202);
    client.send("DELETE", session.path(), null).expect(204);
    client.get(session.path()).expect(404);
    Files.createFile(go);
  }

  /// The file without which the host takes no push.
  private Path holdPushes() throws IOException {
    Path go = folder.resolve("go");
    Path hook = remote.bare().resolve("hooks").resolve("pre-receive");
    Files.createDirectories(hook.getParent());
    Files.writeString(
        hook,
        "#!/bin/sh\nfor i in $(seq 1200); do [ -e %s ] && exit; sleep 0.1; done\n".formatted(go));
    assertTrue(hook.toFile().setExecutable(true));
    return go;
  }

  private SessionHandle changed() {
    SessionHandle session = create("echo two >> file", remote.asked(SECRET));
    JsonNode repository = session.first().ended().at("/thread/repositories/0");
    assertEquals(1, repository.path("files_changed").asInt(), repository::toString);
    return session;
  }

  private SessionHandle create(String script, Map<String, ?> repository) {
    return client.create(script, Map.of("repositories", List.of(new HashMap<>(repository))));
  }

  private ApiResponse send(SessionHandle session, Map<String, ?> asked, String... headers) {
    return client.post(session.path() + "/pull-requests", asked, headers);
  }

  private JsonNode done(SessionHandle session) {
    return client.await("the end of the job").until(session::load, now -> now.path("job").isNull());
  }
}
