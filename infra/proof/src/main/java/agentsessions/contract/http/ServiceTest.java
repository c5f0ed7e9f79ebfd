package agentsessions.contract.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Contract;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The service's own information: health, version, agents, the caller's key and its limits, and the
/// contract.
@Section(number = "api", title = "Health, agents, key, contract")
@Tag("stack")
final class ServiceTest {
  private final Client client = Target.client();

  @Test
  void healthNeedsNoKeyAndSaysHowAgentsAreKeptApart() {
    JsonNode health = client.with(null).get("/health").ok();
    assertFalse(health.path("isolation").asText().isBlank(), health::toString);
  }

  @Test
  void healthSaysWhichVersionServes() {
    String version = client.with(null).get("/health").ok().path("version").asText();
    assertTrue(version.matches("\\d+\\.\\d+\\.\\d+"), version);
  }

  @Test
  void theAgentsAreListedWithNameAndDescription() {
    JsonNode agents = client.get("/agents").ok().path("items");
    assertTrue(agents.findValuesAsText("name").contains("shell"), agents::toString);
    for (JsonNode agent : agents) {
      assertFalse(agent.path("description").asText().isBlank(), agent::toString);
      assertFalse(agent.path("engine").asText().isBlank(), agent::toString);
      assertFalse(agent.at("/network/mode").asText().isBlank(), agent::toString);
    }
  }

  @Test
  void aKeyIsToldWhoseItIsAndItsLimits() {
    JsonNode me = client.get("/me").ok();
    assertFalse(me.path("workspace").asText().isBlank(), me::toString);
    assertEquals(client.key().split("_", -1)[1], me.path("key_id").asText());
    assertEquals(100, me.at("/limits/requests_per_minute").asInt());
    assertEquals(262_144, me.at("/limits/message_bytes").asInt());
    assertEquals(1_048_576, me.at("/limits/request_body_bytes").asInt());
    assertEquals(50, me.at("/limits/live_keys").asInt());
  }

  @Test
  void theContractThatIsServedIsTheOneThatIsChecked() {
    assertEquals(Contract.text(), client.with(null).get("/openapi.yaml").expect(200).body());
  }

  @Test
  void everyAnswerIsJson() {
    for (String path : new String[] {"/health", "/agents", "/nowhere"}) {
      assertTrue(client.get(path).header("Content-Type").startsWith("application/json"), path);
    }
  }
}
