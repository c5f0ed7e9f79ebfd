package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/// What the service tells about itself.
final class ServiceTest {
  private final Client client = Target.client();

  @Test
  void healthNeedsNoKeyAndSaysHowAgentsAreKeptApart() {
    JsonNode health = client.with(null).get("/health").ok();
    assertFalse(health.path("isolation").asText().isBlank(), health::toString);
  }

  @Test
  void theAgentsAreListedWithNameAndDescription() {
    JsonNode agents = client.get("/agents").ok().path("items");
    assertTrue(agents.findValuesAsText("name").contains("shell"), agents::toString);
    for (JsonNode agent : agents) {
      assertFalse(agent.path("description").asText().isBlank(), agent::toString);
    }
  }

  @Test
  void everyAnswerIsJson() {
    for (String path : new String[] {"/health", "/agents", "/nowhere"}) {
      assertTrue(client.get(path).header("Content-Type").startsWith("application/json"), path);
    }
  }
}
