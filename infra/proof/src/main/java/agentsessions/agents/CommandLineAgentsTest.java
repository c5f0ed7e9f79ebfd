package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import agentsessions.talk.Link;
import agentsessions.talk.Session;
import agentsessions.talk.Turn;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The coding agents of the catalogue, as they come from their makers, in sessions of several
/// turns.
///
/// They are looked for in the folder that `AGENT_SESSIONS_TOOLS` names, which `scripts/tools`
/// fills. An agent that is not there is skipped, and says so.
@Tag("agents")
final class CommandLineAgentsTest {
  private static final String KEY = "sk-of-the-model-0123456789";

  @TempDir static Path data;
  private static ModelServer model;
  private static LocalService service;

  @BeforeAll
  static void start() {
    model = ModelServer.start();
    service = LocalService.start(settings());
  }

  @AfterAll
  static void stop() {
    service.close();
    model.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void aSessionGoesOnAfterAnInterruptAndRemembers(String agent) {
    Client client = Client.of(service.baseUrl(), List.of(service.createKey(agent))).patient();
    requireOffered(agent, client);
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
    assertTrue(model.keys().stream().allMatch(key -> key.endsWith(KEY)), model.keys()::toString);
    String seen = Link.content(session.artifactAt("/workspace/seen.txt"));
    assertTrue(seen.contains("AGENT_MODEL_URL="), seen);
    assertFalse(seen.contains(KEY), seen);
  }

  private static void requireOffered(String agent, Client client) {
    List<String> offered = client.get("/agents").ok().path("items").findValuesAsText("name");
    if (!offered.contains(agent)) {
      System.err.println(
          "Not tested: " + agent + ", since it is not installed. See scripts/tools.");
    }
    Assumptions.assumeTrue(offered.contains(agent), agent + " is not installed");
  }

  private static Settings settings() {
    Map<String, String> environment =
        Map.of(
            "PATH",
            System.getenv("PATH"),
            "ANTHROPIC_API_KEY",
            KEY,
            "ANTHROPIC_BASE_URL",
            model.url().toString(),
            "OPENAI_API_KEY",
            KEY,
            "OPENAI_BASE_URL",
            model.url() + "/v1",
            "GEMINI_API_KEY",
            KEY,
            "GOOGLE_GEMINI_BASE_URL",
            model.url().toString());
    Optional<Path> tools = Optional.ofNullable(System.getenv("AGENT_SESSIONS_TOOLS")).map(Path::of);
    return new Settings(0, 0, data, tools, environment, Map.of());
  }
}
