package agentsessions.runner.network.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The repositories that git can reach through the proxy, with real git on both sides.
class GitProxyTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;
  private final List<String> recorded = Collections.synchronizedList(new ArrayList<>());
  private GitHost host;
  private Path bare;
  private GitProxy proxy;
  private boolean recording = true;

  @BeforeEach
  void open() throws IOException {
    host = new GitHost(folder.resolve("host"));
    bare = host.create("team/app.git");
    Path seed = Files.createDirectory(folder.resolve("seed"));
    GitHost.script(
        seed,
        """
        git init -q -b main; echo one > file; git add .; git commit -qm one
        git push -q %s main main:refs/heads/other
        """
            .formatted(bare));
    proxy = proxy("team/app.git", Optional.of(GitHost.PASSWORD), false, true);
  }

  @AfterEach
  void close() {
    proxy.close();
    host.close();
  }

  @Test
  void cloneComesThroughWithACredentialThatGitNeverSees() {
    GitHost.script(folder, "git clone -q %s copy".formatted(url("team/app.git")));
    assertEquals("one\n", GitHost.script(folder, "cat copy/file"));
    assertFalse(GitHost.script(folder, "cat copy/.git/config").contains(GitHost.PASSWORD));
    assertTrue(host.requests().getFirst().contains("Basic "), host.requests()::toString);
  }

  @Test
  void wrongCredentialIsSaidSo() throws IOException {
    proxy.close();
    proxy = proxy("team/app.git", Optional.of("wrong"), false, true);
    assertTrue(failure("git clone -q %s copy").contains("refused the credential (status 401)"));
    proxy.close();
    proxy = proxy("team/app.git", Optional.empty(), false, true);
    assertTrue(failure("git clone -q %s copy").contains("wants a credential (status 401)"));
  }

  @Test
  void pushOfTheBranchIsRecordedBeforeItGoesOut() {
    String commit = commit("two", "git push -q origin HEAD:agent/work");
    assertEquals(List.of(commit), recorded);
    assertEquals(commit, remote("agent/work"));
    String again =
        commit("three", "git commit -q --amend -m anew; git push -qf origin HEAD:agent/work");
    assertEquals(List.of(commit, again), recorded);
  }

  @Test
  void largePushComesThroughInPieces() {
    String made = "head -c 3000000 /dev/urandom > large; git add large; ";
    commit("two", made + "git commit -qm large; git push -q origin HEAD:agent/work");
    assertEquals(
        remote("agent/work"), GitHost.script(folder.resolve("copy"), "git rev-parse HEAD").strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git push -q origin HEAD:main|to the branch agent/work only",
        "git push -q origin HEAD:agent/other|to the branch agent/work only",
        "git push -q origin HEAD:refs/tags/agent/work|to the branch agent/work only",
        "git push -q origin HEAD:agent/work HEAD:main|one branch and no more",
        "git push -q origin :agent/work|may not delete",
        "git push -q origin :other|to the branch agent/work only",
      })
  void otherPushIsRefusedInWordsThatGitShows(String line) {
    String[] parts = line.split("\\|", 2);
    commit("two", "git push -q origin HEAD:agent/work");
    String before = remote("agent/work") + remote("main") + remote("other");
    String said = failureIn("copy", "echo x >> file; git commit -qam x; " + parts[0]);
    assertTrue(said.contains(parts[1]), said);
    assertEquals(before, remote("agent/work") + remote("main") + remote("other"));
  }

  @Test
  void commitsOfOthersAreNotReplaced() {
    commit("two", "git push -q origin HEAD:agent/work");
    GitHost.script(
        folder.resolve("seed"),
        "echo theirs > file; git commit -qam theirs; git push -qf %s HEAD:agent/work"
            .formatted(bare));
    String theirs = remote("agent/work");
    String said =
        failureIn(
            "copy",
            "echo x >> file; git commit -qam x; git fetch -q origin; git push -qf origin HEAD:agent/work");
    assertTrue(said.contains("commits that are not this session's"), said);
    assertEquals(theirs, remote("agent/work"));
  }

  @Test
  void commitThatCannotBeRecordedDoesNotGoOut() {
    recording = false;
    clone("copy");
    String said =
        failureIn("copy", "echo x >> file; git commit -qam x; git push -q origin HEAD:agent/work");
    assertTrue(said.contains("could not be recorded"), said);
    assertEquals("", remote("agent/work"));
  }

  @Test
  void pushOptionsAreRefused() {
    GitHost.script(bare, "git config receive.advertisePushOptions true");
    clone("copy");
    String said =
        failureIn(
            "copy",
            "echo x >> file; git commit -qam x; git push -q -o merge_request.create origin HEAD:agent/work");
    assertTrue(said.contains("no options"), said);
  }

  @Test
  void sessionWithoutPushCannotPush() throws IOException {
    proxy.close();
    proxy = proxy("team/app.git", Optional.of(GitHost.PASSWORD), false, false);
    clone("copy");
    assertTrue(failureIn("copy", "git push -q origin HEAD:agent/work").contains("may not push"));
  }

  @Test
  void redirectToTheUsualEndingIsFollowedAndNoOther() throws IOException {
    proxy.close();
    host.redirect("/team/app", "/team/app.git");
    proxy = proxy("team/app", Optional.of(GitHost.PASSWORD), false, true);
    GitHost.script(folder, "git clone -q %s copy".formatted(url("team/app")));
    assertEquals("one\n", GitHost.script(folder, "cat copy/file"));
    proxy.close();
    host.create("team/moved.git");
    host.redirect("/team/old", "/team/moved.git");
    proxy = proxy("team/old", Optional.of(GitHost.PASSWORD), false, true);
    String said = failureIn(".", "git clone -q %s other".formatted(url("team/old")));
    assertTrue(said.contains("elsewhere: 127.0.0.1/team/moved.git"), said);
    assertFalse(host.requests().toString().contains("/team/moved.git"), host.requests()::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /1/team/app.git/HEAD",
        "GET /1/team/app.git/info/refs",
        "GET /1/team/app.git/info/refs?service=git-upload-archive",
        "GET /1/team/app.git/info/refs?service=git-upload-pack&x=y",
        "POST /1/team/app.git/info/refs?service=git-upload-pack",
        "GET /1/team/app.git/git-upload-pack",
        "POST /1/team/app.git/git-upload-pack?x",
        "PUT /1/team/app.git/git-receive-pack",
        "GET /1/team/other.git/info/refs?service=git-upload-pack",
        "GET /1/team/other.git/../app.git/info/refs?service=git-upload-pack",
        "GET /1/api/v4/projects/info/refs?service=git-upload-pack",
        "GET /2/team/app.git/info/refs?service=git-upload-pack",
        "GET /team/app.git/info/refs?service=git-upload-pack",
      })
  void nothingElseIsReached(String asked) throws Exception {
    int seen = host.requests().size();
    assertEquals(4, ask(asked).statusCode() / 100, asked);
    assertEquals(seen, host.requests().size());
  }

  @Test
  void otherRepositoriesOfTheHostAreForSubmodulesOnlyAndWithoutTheCredential() throws Exception {
    proxy.close();
    proxy = proxy("team/app.git", Optional.of(GitHost.PASSWORD), true, true);
    HttpResponse<String> answer = ask("GET /1/team/lib.git/info/refs?service=git-upload-pack");
    assertEquals(403, answer.statusCode());
    assertEquals("GET /team/lib.git/info/refs null", host.requests().getLast());
    assertEquals(403, ask("GET /1/team/lib.git/info/refs?service=git-receive-pack").statusCode());
    String tricky = "GET /1/team/%2e%2e/lib.git/info/refs?service=git-upload-pack";
    assertEquals(4, ask(tricky).statusCode() / 100);
    assertEquals(1, host.requests().size());
  }

  @Test
  void privateAddressesAreRefusedUnlessTheOperatorAllowsThem() throws Exception {
    proxy.close();
    proxy =
        GitProxy.onLoopback(
            List.of(remote("team/app.git", Optional.empty(), false, false)), new Addresses(false));
    assertTrue(failure("git clone -q %s copy").contains("private, loopback or link-local"));
    assertEquals(List.of(), host.requests());
  }

  @Test
  void nobodyIsLetInWithoutTheSecret() throws Exception {
    URI url = URI.create(proxy.loopbackUrl().orElseThrow());
    URI other =
        url.resolve(
            "/0123456789abcdef0123456789abcdef/1/team/app.git/info/refs?service=git-upload-pack");
    HttpRequest request = HttpRequest.newBuilder(other).build();
    assertEquals(404, CLIENT.send(request, BodyHandlers.ofString()).statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "zzzz",
        "0003",
        "0009push-cert",
        "fffe",
        "0032" + "shallow 0123456789012345678901234567890123456789\n",
      })
  void whatIsNoPushIsAnswered(String body) throws Exception {
    HttpResponse<String> answer = ask("POST /1/team/app.git/git-receive-pack", body);
    assertEquals(4, answer.statusCode() / 100, answer.body());
    assertEquals(List.of(), host.requests());
  }

  @Test
  void signedPushIsRefused() throws Exception {
    String cert = "push-cert\0report-status\n";
    String body = "%04x%s0000".formatted(cert.length() + 4, cert);
    HttpResponse<String> answer = ask("POST /1/team/app.git/git-receive-pack", body);
    assertTrue(answer.body().contains("ng refs/heads/agent/work only plain pushes"), answer.body());
    assertEquals(List.of(), host.requests());
  }

  private String commit(String name, String then) {
    clone("copy");
    return GitHost.script(
            folder.resolve("copy"),
            "echo %s > file; git commit -qam %s; %s; git rev-parse HEAD"
                .formatted(name, name, then))
        .strip();
  }

  private void clone(String name) {
    GitHost.script(
        folder, "[ -e %2$s ] || git clone -q %1$s %2$s".formatted(url("team/app.git"), name));
  }

  private String remote(String branch) {
    return GitHost.script(bare, "git rev-parse -q --verify refs/heads/%s || true".formatted(branch))
        .strip();
  }

  private String failure(String command) {
    return failureIn(".", command.formatted(url("team/app.git")));
  }

  private String failureIn(String where, String command) {
    return String.valueOf(
        assertThrows(AssertionError.class, () -> GitHost.script(folder.resolve(where), command))
            .getMessage());
  }

  private HttpResponse<String> ask(String asked) throws Exception {
    return ask(asked, "");
  }

  private HttpResponse<String> ask(String asked, String body) throws Exception {
    String[] parts = asked.split(" ", 2);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(proxy.loopbackUrl().orElseThrow() + parts[1]))
            .method(
                parts[0],
                parts[0].equals("GET")
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body, StandardCharsets.ISO_8859_1))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private String url(String path) {
    return proxy.loopbackUrl().orElseThrow() + "/1/" + path;
  }

  private GitProxy proxy(String path, Optional<String> password, boolean submodules, boolean push)
      throws IOException {
    return GitProxy.onLoopback(
        List.of(remote(path, password, submodules, push)), new Addresses(true));
  }

  private GitRemote remote(
      String path, Optional<String> password, boolean submodules, boolean push) {
    Optional<String> authorization =
        password.map(word ->
            "Basic "
                + Base64.getEncoder()
                    .encodeToString((GitHost.USER + ":" + word).getBytes(StandardCharsets.UTF_8)));
    SessionBranch branch =
        new SessionBranch("agent/work", false, List.of(), this::record, Optional.empty());
    return new GitRemote(
        1,
        URI.create(host.url(path)),
        authorization,
        submodules,
        push ? Optional.of(branch) : Optional.empty());
  }

  private void record(String commit) throws IOException {
    if (!recording) {
      throw new IOException("not recorded");
    }
    recorded.add(commit);
  }
}
