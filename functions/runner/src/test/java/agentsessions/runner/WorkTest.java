package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Json;
import agentsessions.runner.control.CallRefused;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Results;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.control.TurnOutcome;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.Work;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The input of a turn, and the report on its repositories, in the form of the contract.
class WorkTest {
  private static final String COMMIT = "0123456789".repeat(4);
  private static final String TREE = "7e".repeat(20);
  private static final String SHA256 = "0123456789abcdef".repeat(4);
  private static final String WORK =
      """
      {"model": "large",
       "variables": {"TEAM": "blue"}, "secrets": {"TOKEN": "s3cret"}, "masked": ["passw0rd"],
       "setup": "make",
       "files": [
         {"path": "in/a.txt", "content_base64": "YQ==", "url": null, "size": 1, "sha256": null},
         {"path": "b", "content_base64": null, "url": "http://127.0.0.1/b", "size": 2, "sha256": "%2$s"}],
       "repositories": [
         {"number": 1, "url": "https://git.example.com/team/app.git", "ref": "main", "path": "app",
          "depth": 50, "submodules": false,
          "credential": {"username": "git", "password": "passw0rd"},
          "base_commit": "%1$s", "patch_sha256": "%2$s", "patch_url": "http://127.0.0.1/patch", "tree": "%3$s",
          "pushed": ["%1$s"],
          "push": {"branch": "agent/one", "adopt": true, "base": "main", "provider": "gitlab",
                   "pull_request": {"title": "One", "body": null, "draft": true},
                   "pull_request_url": null, "allowed": true}},
         {"number": 2, "url": "https://git.example.com/team/other", "ref": null, "path": "other",
          "depth": 0, "submodules": true, "credential": null, "base_commit": null,
          "patch_sha256": null, "patch_url": null, "tree": null, "pushed": [], "push": null}],
       "allow_private": true}
      """
          .formatted(COMMIT, SHA256, TREE);

  @TempDir Path folder;
  private StandIn service;
  private URI url;

  @BeforeEach
  void open() throws IOException {
    service = new StandIn(folder.resolve("objects"));
    ObjectNode claim =
        Json.MAPPER
            .createObjectNode()
            .put("token", "token")
            .put("fence", 1)
            .put("session_id", "00000000-0000-4000-8000-000000000001")
            .put("thread_id", "00000000-0000-4000-8000-000000000002")
            .put("turn_number", 1)
            .put("agent_name", "shell")
            .put("message", "true")
            .put("deadline_at", 1)
            .put("check_millis", 500)
            .put("renew_seconds", 15)
            .put("sandbox_lost", false);
    claim.set("agent", Bench.entry("shell"));
    claim.set("work", Json.MAPPER.readTree(WORK));
    url = service.offer(claim).url();
  }

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void workIsReadAsTheContractHasIt() throws IOException {
    Work work = work();
    assertEquals("large", work.model());
    assertEquals(Map.of("TEAM", "blue"), work.variables());
    assertEquals(Map.of("TOKEN", "s3cret"), work.secrets());
    assertEquals(List.of("passw0rd"), work.masked());
    assertEquals("make", work.setup());
    assertEquals(
        List.of(
            new Work.InputFile("in/a.txt", "YQ==", null, 1, null),
            new Work.InputFile("b", null, "http://127.0.0.1/b", 2, SHA256)),
        work.files());
    assertTrue(work.allowPrivate());
  }

  @Test
  void repositoriesAreReadAsTheContractHasThem() throws IOException {
    assertEquals(
        List.of(
            new Work.Repository(
                1,
                "https://git.example.com/team/app.git",
                "main",
                "app",
                50,
                false,
                new Work.Credential("git", "passw0rd"),
                COMMIT,
                SHA256,
                "http://127.0.0.1/patch",
                TREE,
                List.of(COMMIT),
                new Work.Push(
                    "agent/one",
                    true,
                    "main",
                    "gitlab",
                    new Work.PullRequest("One", null, true),
                    null,
                    true)),
            new Work.Repository(
                2,
                "https://git.example.com/team/other",
                null,
                "other",
                0,
                true,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                null)),
        work().repositories());
  }

  @Test
  void nothingSecretIsPrinted() throws IOException {
    Work work = work();
    String printed = claimed() + " " + work + work.repositories() + work.files();
    for (String secret : List.of("s3cret", "passw0rd", "blue", "YQ==", "127.0.0.1")) {
      assertFalse(printed.contains(secret), printed);
    }
  }

  @Test
  void commitIsOnRecordUntilTheTurnIsNotLiveAnyMore() throws IOException {
    ServiceClient client = new ServiceClient(url, claimed().turn().token());
    client.commit(2, COMMIT);
    assertEquals(List.of("2 " + COMMIT), service.commits());
    service.interrupt();
    CallRefused refused = assertThrows(CallRefused.class, () -> client.commit(2, COMMIT));
    assertTrue(refused.says("NOT_LIVE"));
  }

  @Test
  void resultSaysWhatBecameOfTheRepositories() throws IOException {
    ServiceClient client = new ServiceClient(url, claimed().turn().token());
    RepositoryReport changed =
        new RepositoryReport(
            1,
            COMMIT,
            COMMIT,
            "main",
            1,
            2,
            3,
            "key",
            SHA256,
            TREE,
            new RepositoryReport.Pushed("agent/one", COMMIT),
            "https://git.example.com/1",
            new RepositoryReport.Fault("PUSH_REFUSED", "no"));
    RepositoryReport unchanged =
        new RepositoryReport(2, null, null, null, 0, 0, 0, null, null, null, null, null, null);
    client.result(
        Results.of(new TurnOutcome.Completed("done"), List.of(), List.of(changed, unchanged), null),
        Duration.ofSeconds(5));
    assertEquals(COMMIT, service.result().at("/repositories/0/pushed/commit").textValue());
    assertEquals(2, service.result().at("/repositories/1/number").intValue());
  }

  private Work work() throws IOException {
    return Objects.requireNonNull(claimed().turn().work());
  }

  private Claim claimed() throws IOException {
    return new ServiceClient(url, "ticket").claim(0, "claim");
  }
}
