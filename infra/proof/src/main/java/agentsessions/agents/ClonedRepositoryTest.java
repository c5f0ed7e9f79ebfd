package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A packaged coding agent edits a clone of a private repository, with the model or under the
/// permissions that its session has. Skipped, with a message, where the agent is not installed.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
final class ClonedRepositoryTest {
  private static final String AGENT = "claude";

  @TempDir Path folder;

  @Test
  void thePatchIsWhatTheAgentDid(ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(AGENT);
    scripted.model().forgetModels();
    try (GitHost host = seeded()) {
      SessionHandle session = client.create(AGENT, "Edit. [[sh echo two >> file]]", work(host));
      JsonNode repository = session.first().ended().at("/thread/repositories/0");
      assertEquals(1, repository.path("additions").asInt(), repository::toString);
      String patch = PresignedLink.content(session.artifactAt("/home/agent/patches/app-1.diff"));
      assertTrue(patch.endsWith("@@ -1 +1,2 @@\n one\n+two\n"), patch);
      assertTrue(
          scripted.model().models().stream().anyMatch(name -> name.contains("sonnet")),
          scripted.model().models()::toString);
    }
  }

  /// Its hook is told paths from the folder where it starts, which is the repository, and its
  /// output shows where they lead.
  @Test
  void codexIsNotAccusedOfAPatchThere(ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf("codex");
    String patch =
        "*** Begin Patch\\n*** Update File: file\\n@@\\n-one\\n+two\\n*** Add File: sub/new\\n+new\\n*** End Patch\\n";
    Map<String, ?> nothingForbidden =
        Map.of("rules", List.of(Map.of("match", "*forbidden*", "policy", "deny")));
    try (GitHost host = seeded()) {
      SessionHandle session =
          client.create(
              "codex",
              "[[call apply_patch \"%s\"]]".formatted(patch),
              Map.of("repositories", List.of(clone(host)), "permissions", nothingForbidden));
      session.first().completed();
      String done = PresignedLink.content(session.artifactAt("/home/agent/patches/app-1.diff"));
      assertTrue(done.contains("-one\n+two\n") && done.contains("+++ b/sub/new"), done);
    }
  }

  /// A host of one repository with one file.
  private GitHost seeded() throws IOException {
    GitHost host = new GitHost(folder.resolve("host"));
    Path bare = host.create("team/app.git");
    GitHost.script(
        Files.createDirectory(folder.resolve("seed")),
        "git init -q -b main; echo one > file; git add .; git commit -qm one; git push -q %s main"
            .formatted(bare));
    return host;
  }

  private static Map<String, ?> work(GitHost host) {
    return Map.of("model", "sonnet", "repositories", List.of(clone(host)));
  }

  private static Map<String, ?> clone(GitHost host) {
    Map<String, ?> credential = Map.of("username", GitHost.USER, "token", GitHost.PASSWORD);
    return Map.of("url", host.url("team/app.git"), "credential", credential);
  }
}
