package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import agentsessions.session.Agent;
import agentsessions.session.Engine;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.Offers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The operator's variables that an agent gets where its runner has none, and never a key.
class GivenVariablesTest {
  @TempDir Path temp;

  @Test
  void claudeIsGivenWhatItsModelsAreCalled() {
    AgentCatalogue catalogue =
        new AgentCatalogue(List.of("claude"), null, List.of(), Offers.on(Engine.FARGATE));
    Agent claude = catalogue.find("claude").orElseThrow();
    assertEquals(
        Set.of(
            "ANTHROPIC_DEFAULT_OPUS_MODEL",
            "ANTHROPIC_DEFAULT_SONNET_MODEL",
            "ANTHROPIC_DEFAULT_HAIKU_MODEL"),
        catalogue.variables(claude));
    Map<?, ?> environment = environment(claude, Map.of("ANTHROPIC_DEFAULT_OPUS_MODEL", "a$b"));
    assertEquals("a$b", environment.get("ANTHROPIC_DEFAULT_OPUS_MODEL"));
    assertEquals(
        "${ANTHROPIC_DEFAULT_HAIKU_MODEL:-}", environment.get("ANTHROPIC_DEFAULT_HAIKU_MODEL"));
  }

  /// Only the option knows its own words for models; the variable is sent on as it is.
  @Test
  void claudeIsToldItsModelByAnOption() {
    Agent claude =
        new AgentCatalogue(List.of("claude"), null, List.of(), Offers.on(Engine.FARGATE))
            .find("claude")
            .orElseThrow();
    List<?> command = (List<?>) Objects.requireNonNull(claude.entry().get("command"));
    int option = command.indexOf("--model");
    assertEquals(List.of("--model", "${AGENT_MODEL}"), command.subList(option, option + 2));
    assertFalse(environment(claude, Map.of()).containsKey("ANTHROPIC_MODEL"));
  }

  /// Of another entry's model, too, and of one that is not offered.
  @Test
  void noNameThatAnyModelUsesIsGiven() throws IOException {
    Path file =
        Files.writeString(
            temp.resolve("agents.yaml"),
            """
            curious:
              command: [env]
              network: model
              environment: {A: "${OWN_KEY:-}", B: "${OTHER_KEY}", C: "x-${REGION}", D: "${HOST_NAME}"}
              model: {url: "https://${HOST_NAME:-localhost}", headers: {x-api-key: "${OWN_KEY}"}}
            other:
              command: [env]
              model: {url: "https://localhost", headers: {authorization: "Bearer ${OTHER_KEY}"}}
            """);
    AgentCatalogue catalogue =
        new AgentCatalogue(
            List.of("curious"), file.toString(), List.of(), Offers.on(Engine.FARGATE));
    Agent curious = catalogue.find("curious").orElseThrow();
    assertEquals(Set.of("REGION"), catalogue.variables(curious));
    Map<?, ?> environment = environment(curious, Map.of("REGION", "${OWN_KEY}"));
    assertEquals("x-${REGION}", environment.get("C"));
  }

  private static Map<?, ?> environment(Agent agent, Map<String, String> values) {
    return assertInstanceOf(Map.class, agent.filled(values).get("environment"));
  }
}
