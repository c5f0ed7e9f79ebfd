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

/// A packaged coding agent edits a clone of a private repository, with the model that its session
/// chose. Skipped, with a message, where the agent is not installed.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
final class ClonedRepositoryTest {
  private static final String AGENT = "claude";

  @TempDir Path folder;

  @Test
  void thePatchIsWhatTheAgentDid(ScriptedService scripted) throws IOException {
    Client client = scripted.clientOf(AGENT);
    scripted.model().forgetModels();
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Path bare = host.create("team/app.git");
      GitHost.script(
          Files.createDirectory(folder.resolve("seed")),
          "git init -q -b main; echo one > file; git add .; git commit -qm one; git push -q %s main"
              .formatted(bare));
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

  private static Map<String, ?> work(GitHost host) {
    Map<String, ?> credential = Map.of("username", GitHost.USER, "token", GitHost.PASSWORD);
    return Map.of(
        "model",
        "sonnet",
        "repositories",
        List.of(Map.of("url", host.url("team/app.git"), "credential", credential)));
  }
}
