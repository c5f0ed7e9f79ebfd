package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import agentsessions.talk.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The coding agents of the catalogue, as they come from their makers, ask for the model that their
/// session chose, and for another from the message on that chooses it. One that is not installed is
/// skipped, and says so.
@Tag("agents")
final class ChosenModelTest {
  private static final String KEY = "sk-of-the-model";
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
  @CsvSource({
    "claude, sonnet, opus",
    "codex, gpt-5-mini, gpt-5-codex",
    "opencode, gpt-5-mini, gpt-5-codex",
    "gemini, flash-lite, gemini-2.5-pro"
  })
  void theModelThatWasChosenIsAsked(String agent, String first, String next) {
    Client client = Client.of(service.baseUrl(), List.of(service.createKey(agent))).patient();
    requireOffered(agent, client);
    model.forgetModels();
    Session session = client.create(agent, "I am Ada. [[ok]]", Map.of("model", first));
    assertEquals("You said: I am Ada.", session.first().completed());
    assertAsked(first);
    String reply = session.send("Who am I? [[recall]]", Map.of("model", next)).completed();
    assertEquals("The first was: I am Ada.", reply);
    assertAsked(next);
  }

  private static void assertAsked(String name) {
    assertTrue(
        model.models().stream().anyMatch(asked -> asked.contains(name)), model.models()::toString);
    model.forgetModels();
  }

  private static void requireOffered(String agent, Client client) {
    boolean offered =
        client.get("/agents").ok().path("items").findValuesAsText("name").contains(agent);
    if (!offered) {
      System.err.println("Not tested: the models of " + agent + ". See scripts/tools.");
    }
    assumeTrue(offered, agent + " is not installed");
  }

  private static Settings settings() {
    String url = model.url().toString();
    Map<String, String> environment =
        Map.of(
            "PATH", System.getenv("PATH"),
            "ANTHROPIC_API_KEY", KEY,
            "ANTHROPIC_BASE_URL", url,
            "OPENAI_API_KEY", KEY,
            "OPENAI_BASE_URL", url + "/v1",
            "GEMINI_API_KEY", KEY,
            "GOOGLE_GEMINI_BASE_URL", url);
    Optional<Path> tools = Optional.ofNullable(System.getenv("AGENT_SESSIONS_TOOLS")).map(Path::of);
    return new Settings(0, 0, data, tools, environment, Map.of());
  }
}
