package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import agentsessions.talk.Talk;
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
    Client client = Client.of(service.baseUrl(), service.createKey(agent));
    requireOffered(agent, client);
    Talk first =
        client.create(
            agent,
            "I am Ada. [[say On it.]] [[sh echo '# Plan' > PLAN.md; echo hello > hello.txt]]");
    assertEquals("You said: I am Ada.", first.reply());
    assertTrue(first.transcript().contains("On it."), () -> first.transcript().toString());
    planAndFileAreThere(first);

    Talk second =
        first.send("Now wait. [[say Wait.]] [[sh echo look; sleep 1]] [[sh echo more; sleep 600]]");
    second.awaitTranscript("Wait.");
    second.awaitTranscript("echo look");
    Talk third =
        second.send("Who am I? [[sh cat hello.txt; cat /proc/*/environ >seen.txt]] [[recall]]");
    assertEquals("The first was: I am Ada.", third.reply());
    assertEquals("interrupted", second.status());
    theKeyStaysOutside(third);

    String failure = third.send("Fail. [[status 400]]").failure();
    assertTrue(failure.contains("the model refused with 400"), failure);
  }

  private static void planAndFileAreThere(Talk talk) {
    JsonNode plans = talk.load().path("plan_artifact_ids");
    assertEquals(1, plans.size(), plans::toString);
    JsonNode plan = talk.artifact("/workspace/PLAN.md");
    assertEquals(plans.get(0), plan.path("id"));
    assertEquals("# Plan\n", Client.download(plan.path("url").asText()));
    assertEquals("file", talk.artifact("/workspace/hello.txt").path("kind").asText());
  }

  private static void theKeyStaysOutside(Talk talk) {
    assertTrue(model.keys().stream().allMatch(key -> key.endsWith(KEY)), model.keys()::toString);
    String seen = Client.download(talk.artifact("/workspace/seen.txt").path("url").asText());
    assertTrue(seen.contains("AGENT_MODEL_URL="), seen);
    assertFalse(seen.contains(KEY), seen);
  }

  private static void requireOffered(String agent, Client client) {
    List<String> offered = client.get("/agents").path("items").findValuesAsText("name");
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
