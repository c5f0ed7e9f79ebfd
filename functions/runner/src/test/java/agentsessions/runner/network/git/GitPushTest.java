package agentsessions.runner.network.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.network.connection.Addresses;
import agentsessions.testing.GitHost;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The ownership check of pushes, with real git on both sides: a host on which others push, too.
class GitPushTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String NONE = "0".repeat(40);
  private static final String NOT_OURS = "commits that are not this session's";
  private static final String COMMIT = "echo x >> file; git commit -qam x; ";
  private static final String ANOTHER = "git commit -q --amend -m y; ";

  @TempDir Path folder;
  private final List<String> recorded = Collections.synchronizedList(new ArrayList<>());
  private GitHost host;
  private Path bare;
  private GitProxy proxy;

  @BeforeEach
  void open() throws IOException {
    host = new GitHost(folder.resolve("host"));
    host.open();
    bare = host.create("team/app.git");
    Path seed = Files.createDirectory(folder.resolve("seed"));
    GitHost.script(
        seed,
        """
        git init -q -b main; echo one > file; git add .; git commit -qm one
        git push -q %1$s main; echo theirs > file; git commit -qam theirs
        git push -q %1$s HEAD:refs/heads/coworker
        """
            .formatted(bare));
    proxy = proxy("agent/work", List.of());
    GitHost.script(folder, "git clone -q %s copy".formatted(url()));
  }

  @AfterEach
  void close() {
    proxy.close();
    host.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"coworker", "main"})
  void aFailedPushOfAnothersHeadDoesNotMakeItOurs(String branch) throws Exception {
    again(branch, List.of());
    String theirs = remote(branch);
    HttpResponse<String> failed = post(change(NONE, theirs, branch), Optional.empty());
    assertTrue(failed.body().contains("ng refs/heads/" + branch), failed::body);
    assertEquals(List.of(), recorded);
    String said = failure(COMMIT + "git push -qf %s HEAD:%s".formatted(url(), branch));
    assertTrue(said.contains(NOT_OURS), said);
    again(branch, recorded);
    said = failure("git push -qf %s HEAD:%s".formatted(url(), branch));
    assertTrue(said.contains(NOT_OURS), said);
    assertEquals(theirs, remote(branch));
  }

  @ParameterizedTest
  @ValueSource(strings = {"coworker", "main"})
  void aFailedPushDoesNotMakeAnAdoptedBranchOurs(String branch) throws Exception {
    String theirs = adopt(branch);
    post(change(NONE, theirs, branch), Optional.empty());
    failure(COMMIT + "git push -qf %s HEAD:%s".formatted(url(), branch));
    assertEquals(theirs, remote(branch));
    assertEquals(List.of(), recorded);
  }

  @Test
  void anAdoptedBranchIsMovedForwardAndNotBack() throws Exception {
    String theirs = adopt("coworker");
    copy("git fetch -q %s coworker; git reset -q --hard FETCH_HEAD".formatted(url()));
    copy("for i in 1 2 3; do echo $i >> file; git commit -qam $i; done");
    String pushed = "git -c pack.window=0 push -qf %s HEAD:coworker";
    copy(pushed.formatted(url()));
    assertEquals(theirs, remote("coworker~3"));
    String said = failure(ANOTHER + pushed.formatted(url()));
    assertTrue(said.contains("moved forward only"), said);
    said =
        failure("git reset -q --hard %s^; %s%s".formatted(theirs, COMMIT, pushed.formatted(url())));
    assertTrue(said.contains("moved forward only"), said);
    assertEquals(theirs, remote("coworker~3"));
    assertEquals(List.of(remote("coworker")), recorded);
  }

  /// A forged object of the agent claims, under the id of another commit, to descend from the
  /// others' head.
  @Test
  void aForgedObjectMovesNoAdoptedBranch() throws Exception {
    String theirs = adopt("coworker");
    copy(
        """
        echo x >> file; git commit -qam x; real=$(git rev-parse HEAD); git fetch -q %1$s coworker
        fake=$(git commit-tree -p FETCH_HEAD -m x HEAD^{tree}); git reset -q --soft \
          $(git commit-tree -p $real -m y HEAD^{tree})
        chmod u+w .git/objects/${real::2}/${real:2}
        cp .git/objects/${fake::2}/${fake:2} .git/objects/${real::2}/${real:2}
        git merge-base --is-ancestor %2$s HEAD
        """
            .formatted(url(), theirs));
    String said = failure("git -c pack.window=0 push -qf %s HEAD:coworker".formatted(url()));
    assertTrue(said.contains("moved forward only"), said);
    assertEquals(theirs, remote("coworker"));
    assertEquals(List.of(), recorded);
  }

  @Test
  void theDefaultBranchIsPushedToByNobodyWhateverIsOnRecord() throws Exception {
    String head = remote("main");
    again("main", List.of(head));
    String said = failure(COMMIT + "git push -q %s HEAD:main".formatted(url()));
    assertTrue(said.contains("main is the default branch of the remote"), said);
    assertEquals(head, remote("main"));
    assertEquals(List.of(), recorded);
  }

  @Test
  void aCommitThatTheHostHasFromOthersGoesToNoBranch() {
    String said = failure("git push -q %s HEAD:agent/work".formatted(url()));
    assertTrue(said.contains("has that commit already"), said);
    assertEquals(List.of(), recorded);
    copy(COMMIT + "git push -q %s HEAD:agent/work".formatted(url()));
    assertEquals(List.of(remote("agent/work")), recorded);
  }

  @Test
  void whatTheHostTookMayBeReplacedInThisTurnAndTheNext() throws Exception {
    copy(COMMIT + "git push -q %s HEAD:agent/work".formatted(url()));
    copy(ANOTHER + "git push -qf %s HEAD:agent/work".formatted(url()));
    assertEquals(2, recorded.size());
    again("agent/work", recorded);
    copy("git commit -q --amend -m z; git push -qf %s HEAD:agent/work".formatted(url()));
    assertEquals("z", GitHost.script(bare, "git log -1 --format=%s agent/work").strip());
  }

  @Test
  void whatTheHostRefusedIsNotOursOnceSomebodyElseHasPushedIt() throws IOException {
    Path hook = bare.resolve("hooks/pre-receive");
    GitHost.script(
        bare, "mkdir -p hooks; printf '#!/bin/sh\\nexit 1' > hooks/pre-receive; chmod +x hooks/*");
    String refused = failure(COMMIT + "git push -q %s HEAD:agent/work".formatted(url()));
    assertTrue(refused.contains("pre-receive hook declined"), refused);
    assertEquals(List.of(copy("git rev-parse HEAD")), recorded);
    Files.delete(hook);
    copy("git push -q %s HEAD:agent/work".formatted(bare));
    String said = failure(ANOTHER + "git push -qf %s HEAD:agent/work".formatted(url()));
    assertTrue(said.contains(NOT_OURS), said);
    assertEquals(List.of(remote("agent/work")), recorded);
  }

  @Test
  void aPushWhoseAnswerWasLostIsOursWhereItIsTheHead() {
    host.loseNextAnswer();
    String lost = failure(COMMIT + "git push -q %s HEAD:agent/work".formatted(url()));
    assertEquals(copy("git rev-parse HEAD"), remote("agent/work"), lost);
    copy(ANOTHER + "git push -qf %s HEAD:agent/work".formatted(url()));
    assertEquals(copy("git rev-parse HEAD"), remote("agent/work"));
  }

  @Test
  void aBranchThatIsThereIsNotMadeAnew() throws Exception {
    copy(COMMIT + "git push -q %s HEAD:agent/work".formatted(url()));
    String first = remote("agent/work");
    String next = copy(ANOTHER + "git rev-parse HEAD");
    assertNotEquals(first, next);
    HttpResponse<String> answer = post(change(NONE, next, "agent/work"), Optional.empty());
    assertTrue(answer.body().contains("ng refs/heads/agent/work"), answer::body);
    assertEquals(List.of(first), recorded);
  }

  @Test
  void aPushWithACodingIsRefused() throws Exception {
    int asked = host.requests().size();
    String change = change(NONE, remote("main"), "agent/work");
    assertEquals(415, post(change, Optional.of("gzip")).statusCode());
    assertEquals(415, post(change, Optional.of("0000")).statusCode());
    assertEquals(asked, host.requests().size());
    assertEquals(List.of(), recorded);
  }

  private static String change(String from, String to, String branch) {
    String change = "%s %s refs/heads/%s\0report-status".formatted(from, to, branch);
    return "%04x%s0000".formatted(change.length() + 4, change);
  }

  private HttpResponse<String> post(String body, Optional<String> coding)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + "/git-receive-pack"))
            .header("Content-Type", "application/x-git-receive-pack-request")
            .POST(BodyPublishers.ofString(body, StandardCharsets.ISO_8859_1));
    coding.ifPresent(name -> request.header("Content-Encoding", name));
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private String copy(String script) {
    return GitHost.script(folder.resolve("copy"), script).strip();
  }

  private String failure(String script) {
    return String.valueOf(assertThrows(AssertionError.class, () -> copy(script)).getMessage());
  }

  private String remote(String branch) {
    return GitHost.script(bare, "git rev-parse refs/heads/" + branch).strip();
  }

  private String url() {
    return proxy.loopbackUrl().orElseThrow() + "/1/team/app.git";
  }

  /// A turn whose repository is cloned while this branch exists with commits of others.
  private String adopt(String branch) throws IOException {
    String head = remote(branch);
    SessionBranch own = new SessionBranch(branch, true, List.of(), recorded::add, Optional.empty());
    own.adopt(head);
    proxy.close();
    proxy = proxy(own);
    return head;
  }

  /// Another turn, as far as the proxy is concerned.
  private void again(String branch, List<String> before) throws IOException {
    proxy.close();
    proxy = proxy(branch, List.copyOf(before));
  }

  private GitProxy proxy(String branch, List<String> before) throws IOException {
    return proxy(new SessionBranch(branch, false, before, recorded::add, Optional.empty()));
  }

  private GitProxy proxy(SessionBranch own) throws IOException {
    URI address = URI.create(host.url("team/app.git"));
    return GitProxy.onLoopback(
        List.of(new GitRemote(1, address, Optional.empty(), false, Optional.of(own))),
        new Addresses(true));
  }
}
