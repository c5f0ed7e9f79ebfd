package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.Session;
import java.nio.file.Path;
import java.util.Map;
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
  @CsvSource({
    "claude, sonnet, opus",
    "codex, gpt-5-mini, gpt-5-codex",
    "opencode, gpt-5-mini, gpt-5-codex",
    "gemini, flash-lite, gemini-2.5-pro"
  })
  void theModelThatWasChosenIsAsked(String agent, String first, String next) {
    Client client = scripted.clientOf(agent);
    scripted.model().forgetModels();
    Session session = client.create(agent, "I am Ada. [[ok]]", Map.of("model", first));
    assertEquals("You said: I am Ada.", session.first().completed());
    assertAsked(first);
    String reply = session.send("Who am I? [[recall]]", Map.of("model", next)).completed();
    assertEquals("The first was: I am Ada.", reply);
    assertAsked(next);
  }

  private static void assertAsked(String name) {
    assertTrue(
        scripted.model().models().stream().anyMatch(asked -> asked.contains(name)),
        scripted.model().models()::toString);
    scripted.model().forgetModels();
  }
}
