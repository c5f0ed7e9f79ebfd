package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.Link;
import agentsessions.talk.Session;
import agentsessions.talk.Turn;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The coding agents of the catalogue, as they come from their makers, in sessions of several
/// turns. One that is not installed is skipped, and says so.
@Tag("agents")
final class CommandLineAgentsTest {
  @TempDir static Path data;
  private static ScriptedService scripted;

  @BeforeAll
  static void start() {
    scripted = ScriptedService.start(data);
  }

  @AfterAll
  static void stop() {
    scripted.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void aSessionGoesOnAfterAnInterruptAndRemembers(String agent) {
    Client client = scripted.clientOf(agent);
    Session session =
        client.create(
            agent,
            "I am Ada. [[say On it.]] [[sh echo '# Plan' > PLAN.md; echo hello > hello.txt]]");
    Turn first = session.first();
    assertEquals("You said: I am Ada.", first.completed());
    assertTrue(first.transcript().contains("On it."), () -> first.transcript().toString());
    planAndFileAreThere(session);

    Turn second =
        session.send(
            "Now wait. [[say Wait.]] [[sh echo look; sleep 1]] [[sh echo more; sleep 600]]");
    second.awaitTranscript("Wait.");
    second.awaitTranscript("echo look");
    Turn third =
        session.send("Who am I? [[sh cat hello.txt; cat /proc/*/environ >seen.txt]] [[recall]]");
    assertEquals("The first was: I am Ada.", third.completed());
    assertEquals("interrupted", second.status());
    theKeyStaysOutside(session);

    String failure = session.send("Fail. [[status 400]]").failure();
    assertTrue(failure.contains("the model refused with 400"), failure);
  }

  private static void planAndFileAreThere(Session session) {
    List<String> plans = session.planArtifactIds();
    assertEquals(1, plans.size(), plans::toString);
    JsonNode plan = session.artifactAt("/workspace/PLAN.md");
    assertEquals(plans.getFirst(), plan.path("id").asText());
    assertEquals("# Plan\n", Link.content(plan));
    assertEquals("file", session.artifactAt("/workspace/hello.txt").path("kind").asText());
  }

  private static void theKeyStaysOutside(Session session) {
    assertTrue(
        scripted.model().keys().stream().allMatch(key -> key.endsWith(ScriptedService.KEY)),
        scripted.model().keys()::toString);
    String seen = Link.content(session.artifactAt("/workspace/seen.txt"));
    assertTrue(seen.contains("AGENT_MODEL_URL="), seen);
    assertFalse(seen.contains(ScriptedService.KEY), seen);
  }
}
