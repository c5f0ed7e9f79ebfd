package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

/// A session with a repository, from its clone to the patch and the push.
@Section(number = "api", title = "Repositories, patches, pushes")
final class RepositoriesTest {
  private static final String SECRET = "HOST_OF_TEST";

  @TempDir Path folder;
  private final Client client = Target.client();
  private TestGitHost remote;

  @BeforeEach
  void open() throws IOException {
    remote =
        TestGitHost.with(
            folder,
            """
            printf 'one\\ntwo\\n' > file; printf 'old\\n' > gone; mkdir plans; echo base > plans/base.md
            git add .; git commit -qm first
            """);
    remote.keep(client, SECRET, GitHost.PASSWORD);
  }

  @AfterEach
  void close() {
    if (remote != null) {
      remote.close();
    }
  }

  /// Binary content, modes, a rename, a deletion and an unusual file name.
  @Test
  void thePatchOfTwoTurnsMakesTheSameTreeOfAFreshClone() throws Exception {
    SessionHandle session =
        create("printf '\\0\\1\\377' > bin; chmod +x bin; git mv file 'a \"b'$'\\n''c'; rm gone");
    JsonNode first = ended(session.first());
    assertEquals(remote.git("rev-parse main"), first.path("base_commit").asText());
    int asked = remote.host().requests().size();
    TurnHandle turn =
        session.send(
            "echo three >> *b*; ln -s bin link; export GIT_INDEX_FILE=/tmp/i; git add -A; git write-tree");
    String tree = turn.text();
    JsonNode repository = ended(turn);
    assertEquals(asked, remote.host().requests().size(), "cloned again");
    assertEquals(4, repository.path("files_changed").asInt(), repository::toString);
    assertEquals(repository, session.load().at("/repositories/0"));
    assertNotEquals(first.path("patch_artifact_id"), repository.path("patch_artifact_id"));
    byte[] patch = patch(session, repository);
    assertEquals(tree, remote.treeOf(repository.path("base_commit").asText(), patch));
  }

  @Test
  void aFailedTurnHasItsPatchAndAnInterruptedOnesIsInTheNext() {
    SessionHandle session = create("echo x > failed; exit 3");
    assertEquals(1, ended(session.first()).path("files_changed").asInt());
    session.send("echo x | tee interrupted; echo and going on; sleep 300").awaitTranscript("x");
    JsonNode next = ended(session.send("true"));
    assertEquals(2, next.path("files_changed").asInt(), next::toString);
  }

  @Test
  void aWrongSecretFailsTheTurnAndANewCredentialMendsIt() {
    remote.keep(client, "WRONG_OF_TEST", "not-the-password");
    SessionHandle session =
        client.create("cat file", Map.of("repositories", List.of(remote.asked("WRONG_OF_TEST"))));
    JsonNode error = session.first().ended().at("/thread/error");
    assertEquals("REPOSITORY_UNAVAILABLE", error.path("code").asText());
    assertTrue(error.path("message").asText().contains(remote.url()), error::toString);
    assertFalse(error.toString().contains("not-the-password"), error::toString);
    Map<String, ?> credential = Map.of("username", GitHost.USER, "token", GitHost.PASSWORD);
    Map<String, ?> work =
        Map.of("repositories", List.of(Map.of("path", "app", "credential", credential)));
    assertEquals("one\ntwo", session.send("cat file", work).text());
    assertEquals("one\ntwo", session.send("cat file").text());
  }

  @Test
  void theCredentialIsInNothingThatTheAgentSeesOrLeaves() throws IOException {
    SessionHandle session =
        create(
            "env > e; cat /proc/*/environ /proc/*/cmdline .git/config >> e 2>/dev/null; cat e; true");
    JsonNode repository = ended(session.first());
    byte[] patch = patch(session, repository);
    assertFalse(new String(patch, StandardCharsets.ISO_8859_1).contains(GitHost.PASSWORD));
    String history = session.messages("?type=message&type=final_message").toString();
    assertFalse(history.contains(GitHost.PASSWORD));
    assertFalse(session.load().toString().contains(GitHost.PASSWORD));
    assertTrue(
        remote.host().requests().stream().anyMatch(request -> request.contains("Basic ")),
        "the host was told");
  }

  @Tag("stack")
  @Test
  void aCompletedTurnIsPushedAndItsPullRequestIsMadeOnce() {
    Map<String, ?> push =
        Map.of("provider", "gitea", "pull_request", Map.of("title", "A title", "draft", true));
    SessionHandle session = create("echo three >> file; git commit -qam mine", push);
    String branch = "agent/" + session.id().substring(0, 8);
    JsonNode pushed = ended(session.first()).path("pushed");
    assertEquals(branch, pushed.path("branch").asText(), pushed::toString);
    assertEquals(remote.git("rev-parse " + branch), pushed.path("commit").asText());
    TurnHandle second = session.send("echo four >> file; git push origin HEAD:main 2>&1 | tail -4");
    ended(second);
    assertTrue(second.text().contains("may push to the branch " + branch + " only"), second::text);
    assertEquals("four", remote.git("show %s:file | tail -1".formatted(branch)));
    assertEquals("first", remote.git("log -1 --format=%s main"));
    assertEquals(1, remote.pullRequests().size(), remote.pullRequests()::toString);
    assertEquals("WIP: A title", remote.pullRequests().get(0).path("title").asText());
    assertEquals(
        remote.pullRequests().get(0).path("html_url"), session.load().at("/pull_requests/0"));
    assertEquals(
        session.load().at("/pull_requests/0"),
        second.ended().at("/thread/repositories/0/pull_request_url"));
  }

  @Test
  void aBranchThatIsThereIsRefusedUnlessItIsAdoptedAndIsThenMovedForward() {
    remote.git("branch taken main");
    String theirs = remote.git("rev-parse taken");
    JsonNode thread =
        create("echo three >> file", Map.of("branch", "taken")).first().ended().path("thread");
    assertEquals("failed", thread.path("status").asText(), thread::toString);
    assertEquals("REPOSITORY_UNAVAILABLE", thread.at("/error/code").asText());
    assertEquals("BRANCH_EXISTS", thread.at("/repositories/0/error/code").asText());
    assertEquals(theirs, remote.git("rev-parse taken"));
    SessionHandle session = create("echo three >> file", Map.of("branch", "taken", "adopt", true));
    JsonNode repository = ended(session.first());
    assertEquals("taken", repository.at("/pushed/branch").asText(), repository::toString);
    repository = ended(session.send("echo four >> file; git push -f origin HEAD:taken; true"));
    assertEquals(
        remote.git("rev-parse taken"),
        repository.at("/pushed/commit").asText(),
        repository::toString);
    assertEquals(theirs, remote.git("rev-parse taken~2"));
  }

  @Test
  void theDefaultBranchIsRefusedAtTheClone() {
    SessionHandle session = create("true", Map.of("branch", "main", "adopt", true));
    JsonNode thread = session.first().ended().path("thread");
    assertEquals("REPOSITORY_UNAVAILABLE", thread.at("/error/code").asText(), thread::toString);
    JsonNode repository = session.load().at("/repositories/0");
    assertEquals("DEFAULT_BRANCH", repository.at("/error/code").asText(), repository::toString);
  }

  @Test
  void aBranchWithCommitsOfOthersIsLeftAloneAndThePatchIsThere() throws IOException {
    SessionHandle session = create("true", Map.of("branch", "taken"));
    ended(session.first());
    remote.git("branch taken main");
    JsonNode repository = ended(session.send("echo three >> file"));
    assertEquals("PUSH_REFUSED", repository.at("/error/code").asText(), repository::toString);
    assertTrue(repository.path("pushed").isNull(), repository::toString);
    assertEquals(remote.git("rev-parse main"), remote.git("rev-parse taken"));
    assertTrue(patch(session, repository).length > 0);
  }

  /// A repository, and then an agent, that try to have git run a command, or a plan that links to
  /// another file.
  @Test
  void aHostileRepositoryRunsNothingAndTheSessionGoesOn() throws IOException {
    Path trace = folder.resolve("trace");
    Path work = Files.createDirectory(folder.resolve("hostile"));
    GitHost.script(
        work,
        """
        git init -q -b hostile; ln -s /etc/passwd PLAN.md; ln -s /etc plans; echo '* diff=x filter=x' > .gitattributes
        printf '[submodule "x"]\\n path = x\\n url = ext::touch %1$s\\n update = !touch %1$s\\n' > .gitmodules
        git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,x
        git add .; git commit -qm evil; git push -q %2$s hostile
        """
            .formatted(trace, remote.bare()));
    Map<String, Object> asked = new HashMap<>(remote.asked(SECRET));
    asked.put("ref", "hostile");
    asked.put("submodules", true);
    SessionHandle session =
        client.create(
            """
            cd ..; evil=$PWD/evil; printf '#!/bin/sh\\ntouch %%s %s\\n' "$PWD/ran" > $evil; chmod +x $evil; cd app
            for hook in post-checkout pre-commit post-index-change reference-transaction pre-push; do
              mkdir -p .git/hooks; cp $evil .git/hooks/$hook
            done
            for key in core.fsmonitor diff.external diff.x.textconv filter.x.clean filter.x.smudge credential.helper; do
              git config $key $evil
            done
            rm -f ../ran; echo done\
            """
                .formatted(trace),
            Map.of("repositories", List.of(asked)));
    assertEquals("done", session.first().text());
    assertEquals(0, session.load().path("plan_artifact_ids").size());
    assertEquals("evil", session.send("ls .. | grep -v app").text());
    assertFalse(Files.exists(trace));
  }

  @Test
  void whatCannotBeClonedIsRefusedByField() {
    for (Map.Entry<String, Map<String, ?>> wrong :
        Map.<String, Map<String, ?>>of(
                "repositories[0].url", Map.of("url", "ssh://host.example/app.git"),
                "repositories[0].ref", Map.of("url", remote.url(), "ref", "-x"),
                "repositories[0].path", Map.of("url", remote.url(), "path", "../x"),
                "repositories[0].credential.secret", remote.asked("NOBODYS"),
                "repositories[0].push.adopt",
                    Map.of("url", remote.url(), "push", Map.of("adopt", "yes")),
                "repositories[0].push.branch",
                    Map.of("url", remote.url(), "push", Map.of("branch", "a..b")))
            .entrySet()) {
      Map<String, ?> body =
          Map.of("agent_name", "shell", "message", "x", "repositories", List.of(wrong.getValue()));
      client.post("/sessions", body).invalid(wrong.getKey());
    }
  }

  private SessionHandle create(String script) {
    return client.create(script, Map.of("repositories", List.of(remote.asked(SECRET))));
  }

  private SessionHandle create(String script, Map<String, ?> push) {
    Map<String, Object> asked = new HashMap<>(remote.asked(SECRET));
    asked.put("push", push);
    return client.create(script, Map.of("repositories", List.of(asked)));
  }

  /// The repository's entry in the ended turn.
  private static JsonNode ended(TurnHandle turn) {
    return turn.ended().at("/thread/repositories/0");
  }

  private static byte[] patch(SessionHandle session, JsonNode repository) {
    JsonNode artifact = session.artifact(repository.path("patch_artifact_id").asText());
    assertEquals("text/x-diff", artifact.path("mime_type").asText());
    return PresignedLink.download(artifact.path("url").asText()).body();
  }
}
