package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.Session;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The coding agents of the catalogue, as they come from their makers, ask for the model that their
/// session chose, and for another from the message on that chooses it. One that is not installed is
/// skipped, and says so.
@Tag("agents")
final class ChosenModelTest {
  private static final String CEILING = "/limits/session/max_cost_usd";
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

  @Test
  void aCeilingOfDollarsNeedsAModelWithAPrice() {
    Client client = scripted.clientOf("codex");
    Session session = client.create("codex", "Hello. [[ok]]", Map.of("model", "gpt-5-mini"));
    session.first().completed();
    Map<String, ?> limits = Map.of("limits", Map.of("session", Map.of("max_cost_usd", 1)));
    JsonNode refused = client.patch(session.path(), limits).refused(422, "VALIDATION");
    assertEquals("limits.session.max_cost_usd", refused.at("/details/0/field").asText());
    session.send("Hello. [[ok]]", Map.of("model", "gpt-5-codex")).completed();
    assertEquals(1, client.patch(session.path(), limits).ok().at(CEILING).asInt());
  }

  private static void assertAsked(String name) {
    assertTrue(
        scripted.model().models().stream().anyMatch(asked -> asked.contains(name)),
        scripted.model().models()::toString);
    scripted.model().forgetModels();
  }
}
