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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Repositories and agents that try to make git run commands: nothing runs outside of the sandbox,
/// the turn ends, and the next one works.
class HostileRepositoryTest {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm -rf .git",
        "rm -rf .git; echo 'gitdir: /etc' > .git",
        "rm -rf .git; ln -s / .git",
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
