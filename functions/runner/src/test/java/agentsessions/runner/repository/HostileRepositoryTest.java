package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.Limits;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Repositories and agents that try to make git run commands, or show and send other things than
/// there are: nothing runs outside of the sandbox, nothing goes out that no patch has, the turn
/// ends, and the next one works.
class HostileRepositoryTest {
  /// Makes all objects of a clone loose, and defines how one is put under the name of another.
  private static final String LOOSE =
      """
      mv .git/objects/pack/*.pack pack; rm -f .git/objects/pack/*; git unpack-objects -q < pack; rm -f pack
      at() { echo .git/objects/${1:0:2}/${1:2}; }
      forge_as() { cp -f $(at $1) $(at $2); }
      forge() { forge_as $(echo $1 | git hash-object -w --stdin) $2; }
      """;

  @TempDir Path folder;
  private GitHost host;
  private Bench bench;

  /// A file that appears only if a command ran outside of the sandbox.
  private Path trace;

  @BeforeEach
  void open() throws IOException {
    host = new GitHost(folder.resolve("host"));
    host.open();
    bench = Bench.sandboxed(folder.resolve("bench"));
    trace = folder.resolve("trace");
  }

  @AfterEach
  void close() {
    if (bench != null) {
      bench.close();
    }
    host.close();
  }

  @Test
  void settingsAndHooksOfAnAgentAreNotAskedByLooking() throws IOException {
    seed("echo one > file; git add .; git commit -qm one");
    String evil = "touch /workspace/ran; echo ran >&2; exit 1";
    JsonNode result =
        bench.run(
            """
            printf '#!/bin/sh\\n%s\\n' > /workspace/evil; chmod +x /workspace/evil
            for hook in post-checkout pre-commit post-index-change fsmonitor-watchman reference-transaction pre-push; do
              mkdir -p .git/hooks; cp /workspace/evil .git/hooks/$hook
            done
            echo two > file; echo '* diff=evil filter=evil merge=evil' > .gitattributes
            for key in core.fsmonitor diff.external diff.evil.textconv diff.evil.command filter.evil.clean \\
              filter.evil.process core.pager core.sshCommand core.alternateRefsCommand core.askPass \\
              uploadpack.packObjectsHook credential.helper gpg.program alias.ls-files alias.diff-tree; do
              git config $key /workspace/evil
            done
            git config filter.evil.required true; rm -f /workspace/ran
            """
                .formatted(evil));
    assertEquals(2, result.at("/repositories/0/files_changed").asInt(), result::toString);
    assertFalse(Files.exists(bench.work("ran")));
    assertFalse(result.toString().contains("trace"));
  }

  /// Git fetches an object that is missing from a remote which is said to have it, and asks the
  /// credential helper for the password of the user in its URL before it connects.
  @Test
  void objectThatIsMissingIsNotFetchedByAProgramOfTheAgents() throws IOException {
    seed("echo one > file; git add .; git commit -qm one");
    JsonNode result =
        bench.run(
            """
            echo two > file
            commit=$(git commit-tree -m x HEAD^{tree})
            git update-ref refs/heads/main $commit
            rm -f .git/objects/${commit:0:2}/${commit:2}
            url=http://user@127.0.0.1:9
            for setting in extensions.partialClone=elsewhere remote.elsewhere.promisor=true remote.elsewhere.url=$url/x.git \
              core.repositoryFormatVersion=1 http.emptyAuth=true http.$url.emptyAuth=true \
              "credential.helper=!touch /workspace/ran; false" "credential.$url.helper=!touch /workspace/ran; false"; do
              git config --add "${setting%%=*}" "${setting#*=}"
            done
            git cat-file -t $commit 2> /dev/null || true
            mv /workspace/ran /workspace/works
            """);
    assertTrue(Files.exists(bench.work("works")), "git does so");
    assertEquals("completed", result.path("outcome").asText(), result::toString);
    assertFalse(Files.exists(bench.work("ran")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm -rf .git",
        "rm -rf .git; echo 'gitdir: /etc' > .git",
        "rm -rf .git; ln -s / .git",
        "mv .git ../git; ln -s ../git .git",
        "mv .git ../git; echo 'gitdir: ../git' > .git",
        "echo rubbish > .git/index",
        "rm .git/HEAD",
        "rm -rf .git/objects",
        "cd ..; rm -rf app; ln -s /usr app",
        "cd ..; rm -rf app; mkfifo app",
        "git config extensions.worktreeConfig true; echo '[[[' > .git/config",
        "git config core.worktree /usr",
        "git config core.bare true",
        "mkfifo pipe; chmod 0 file; mkdir -m 0 closed",
        "git init -q inner; touch inner/x",
      })
  void repositoryThatIsBrokenDoesNotBreakTheTurn(String script) throws IOException {
    seed("echo one > file; git add .; git commit -qm one");
    JsonNode result = bench.run(script + "; echo done");
    assertEquals("completed", result.path("outcome").asText(), result::toString);
    assertEquals("done", result.path("reply").asText());
    assertEquals(1, result.path("repositories").size(), result::toString);
    JsonNode next = bench.run("echo again");
    assertEquals("again", next.path("reply").asText(), next::toString);
  }

  @Test
  void whatALinkLeadsToIsInNoPatch() throws IOException {
    seed("echo one > file; git add .; git commit -qm one");
    JsonNode result = bench.run("cd ..; rm -rf app; ln -s /etc app");
    JsonNode error = result.at("/repositories/0/error");
    assertEquals("REPOSITORY_UNAVAILABLE", error.path("code").asText(), result::toString);
    assertTrue(result.path("artifacts").isEmpty(), result::toString);
  }

  /// Git believes that an object has the name under which it finds it. The patch would lack what is
  /// pushed in the first two, and have other text and other files in the others.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo secret > file; forge secret $(git rev-parse HEAD:file)",
        "mv file moved; git add .; forge secret $(git rev-parse HEAD:file)",
        "echo x > a/deep/file; git add .; forge_as $(git rev-parse HEAD:b) $(git rev-parse HEAD:a)",
      })
  void whatIsForgedIsNotShownAsSomethingElse(String script) throws IOException {
    seed(
        "echo one > file; mkdir -p a/deep b; echo 1 > a/deep/file; echo 2 > b/2; git add .; git commit -qm one");
    JsonNode result = bench.run(LOOSE + script + "; echo other > other");
    JsonNode error = result.at("/repositories/0/error");
    assertEquals("REPOSITORY_UNAVAILABLE", error.path("code").asText(), result::toString);
  }

  /// Git keeps what it has read itself, since it cannot say of the agent's that it was used.
  @Test
  void whatIsForgedInPlaceOfAChangeIsNotRead() throws IOException {
    seed("echo one > file; git add .; git commit -qm one");
    JsonNode result =
        bench.run(LOOSE + "echo secret > file; forge harmless $(git hash-object -w file)");
    String patch = bench.captured(result.at("/artifacts/0"));
    assertTrue(patch.endsWith("-one\n+secret\n"), patch);
  }

  /// Git sends whatever it finds under the name of an object of which it does not know that the
  /// host has it, here for want of a negotiation. The host would keep that under its true name.
  @Test
  void nothingIsSentThatWasNotLookedAt() throws IOException {
    ObjectNode repository = seed("echo one > file; echo 2 > other; git add .; git commit -qm one");
    ObjectNode push = push(repository);
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    permissions.put("hold_seconds", 30).put("questions", false);
    permissions
        .putArray("rules")
        .addObject()
        .put("kind", "push")
        .put("match", "*")
        .put("policy", "ask");
    JsonNode turn = bench.run(LOOSE + "forge secret $(git rev-parse HEAD:other); echo x > file");
    bench.keepPatch(repository, turn.at("/repositories/0"));
    bench.work.put("job", true);
    push.put("allowed", true);
    Path bare = folder.resolve("host/team/app.git");
    GitHost.script(
        folder.resolve("seed"),
        "echo 3 > third; git add .; git commit -qm moved; git push -q %s main".formatted(bare));
    host.negotiates(false);
    JsonNode job = bench.run("A subject").at("/repositories/0");
    assertEquals("agent/work", job.at("/pushed/branch").asText(), job::toString);
    String held = "git cat-file -t $(echo secret | git hash-object --stdin) 2>&1 || true";
    assertTrue(GitHost.script(bare, held).contains("could not get object info"), held);
    assertEquals("x", GitHost.script(bare, "git show agent/work:file").strip());
  }

  private static ObjectNode push(ObjectNode repository) {
    ObjectNode push = repository.putObject("push").put("branch", "agent/work").put("adopt", false);
    Stream.of("base", "provider", "pull_request", "pull_request_url").forEach(push::putNull);
    return push;
  }

  /// A mode can be longer than what any program shows of it, and so can that of an index.
  @Test
  void whatIsPushedHasNoModesThatNoPatchShows() throws IOException {
    ObjectNode repository =
        seed("echo one > file; mkdir a; echo 2 > a/2; git add .; git commit -qm one");
    push(repository);
    JsonNode result =
        bench.run(
            """
            blob() { printf "$(git rev-parse $1 | sed 's/../\\\\x&/g')"; }
            entry() { printf '%s %s\\0' $1 $2; blob $3; }
            tree() { git hash-object -t tree --literally -w --stdin; }
            a=$(entry 7777777100644 2 HEAD:a/2 | tree)
            root=$({ entry 40000 a $a; entry 100644 file HEAD:file; } | tree)
            git read-tree $root; echo other > other
            """);
    assertEquals(
        "agent/work", result.at("/repositories/0/pushed/branch").asText(), result::toString);
    Path bare = folder.resolve("host/team/app.git");
    assertEquals("100644 2", raw(bare, "agent/work:a"));
  }

  /// The mode and name of the first entry of a tree, as they are stored.
  private static String raw(Path bare, String tree) {
    return GitHost.script(bare, "git cat-file tree %s | head -c 8".formatted(tree)).strip();
  }

  @Test
  void ownGitFolderOfARepositoryRunsNothingWhenItIsCloned() throws IOException {
    ObjectNode repository =
        seed(
            """
            ln -s /etc/passwd PLAN.md; ln -s /etc plans
            printf '[submodule "x"]\\n path = x\\n url = ext::touch %1$s\\n update = !touch %1$s\\n' > .gitmodules
            printf '[submodule "-u"]\\n path = -u\\n url = -u./payload\\n' >> .gitmodules
            printf '[submodule "lib"]\\n path = lib\\n url = ../lib.git\\n' >> .gitmodules
            git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,x
            git add .; git commit -qm one
            """
                .formatted(trace));
    repository.put("submodules", true);
    JsonNode result = bench.run("echo ok");
    assertEquals("ok", result.path("reply").asText(), result::toString);
    assertEquals(List.of(), result.findValues("kind"), result::toString);
    assertTrue(bench.said().contains("The submodule x of app could not be fetched"), bench.said());
    assertFalse(Files.exists(trace));
  }

  @Test
  void submoduleOfTheSameHostIsFetched() throws IOException {
    Path lib = host.create("team/lib.git");
    Path work = Files.createDirectory(folder.resolve("lib"));
    GitHost.script(
        work,
        "git init -q -b main; echo lib > l; git add .; git commit -qm l; git push -q %s main"
            .formatted(lib));
    ObjectNode repository =
        seed(
            """
            git -c protocol.file.allow=always submodule --quiet add %s lib
            git config -f .gitmodules submodule.lib.url ../lib.git; git add .; git commit -qm one
            """
                .formatted(lib));
    repository.put("submodules", true);
    JsonNode result = bench.run("cat lib/l; echo changed > lib/l");
    assertEquals("lib", result.path("reply").asText(), bench::said);
    assertEquals(0, result.at("/repositories/0/files_changed").asInt());
  }

  @Test
  void changesThatAreTooLargeAreSaidSo() throws IOException {
    assertEquals(100 << 20, Limits.STANDARD.patch());
    bench.close();
    bench = Bench.sandboxed(folder.resolve("small"), limits(Limits.STANDARD.file(), 1 << 20));
    seed("echo one > file; git add .; git commit -qm one");
    JsonNode result = bench.run("head -c 1500000 /dev/urandom > large");
    assertEquals("completed", result.path("outcome").asText());
    JsonNode error = result.at("/repositories/0/error");
    assertEquals("PATCH_TOO_LARGE", error.path("code").asText(), result::toString);
    assertTrue(error.path("message").asText().contains("larger than 1 MiB"), error::toString);
    assertEquals(0, bench.run("rm large").at("/repositories/0/files_changed").asInt());
  }

  /// The first does not fit as it is fetched, the second as it is checked out.
  @ParameterizedTest
  @ValueSource(
      strings = {"head -c 3000000 /dev/urandom > large", "head -c 3000000 /dev/zero > large"})
  void fileThatIsLargerThanASessionMayHaveIsSaidSo(String large) throws IOException {
    bench.close();
    bench = Bench.sandboxed(folder.resolve("small"), limits(2 << 20, Limits.STANDARD.patch()));
    ObjectNode repository = seed(large + "; git add .; git commit -qm large");
    for (String ref : List.of("main", head())) {
      repository.put("ref", ref);
      JsonNode error = bench.run("true").path("error");
      assertEquals("LIMIT_EXCEEDED", error.path("code").asText(), error::toString);
      assertTrue(
          error.path("message").asText().contains("may have 2 MiB at most"), error::toString);
      assertTrue(error.path("message").asText().contains("depth"), error::toString);
    }
  }

  private String head() {
    return GitHost.script(folder.resolve("seed"), "git rev-parse HEAD").strip();
  }

  private static Limits limits(long file, long patch) {
    Limits usual = Limits.STANDARD;
    return new Limits(
        usual.output(),
        file,
        usual.processes(),
        usual.open(),
        usual.memory(),
        usual.folder(),
        usual.free(),
        usual.artifact(),
        usual.recorded(),
        usual.artifacts(),
        usual.examined(),
        usual.files(),
        usual.names(),
        patch);
  }

  private ObjectNode seed(String script) throws IOException {
    Path bare = host.create("team/app.git");
    Path work = Files.createDirectory(folder.resolve("seed"));
    GitHost.script(
        work, "git init -q -b main\n%s\ngit push -q %s main".formatted(script.strip(), bare));
    ObjectNode repository = Bench.repository(host);
    bench.claim(repository);
    return repository;
  }
}
