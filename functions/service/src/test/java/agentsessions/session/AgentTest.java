package agentsessions.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentTest {
  @ParameterizedTest
  @CsvSource({
    "machine, true, true",
    "container, true, false",
    "fargate, true, false",
    "lambda, false, false"
  })
  void itsToolsAreJudgedWhereItCannotChangeWhatMakesItAsk(
      String engine, boolean outside, boolean inHome) {
    Map<String, Object> home = Map.of("files", Map.of("~/.a/settings.json", "{}"));
    assertEquals(outside, agent(engine, gate("/etc/a.json", Map.of("tool", "ask"))).hasGate());
    assertEquals(inHome, agent(engine, gate("~/.a/settings.json", Map.of())).hasGate());
    assertEquals(inHome, agent(engine, gate("/etc/a.json", home)).hasGate());
    assertEquals(false, agent(engine, Map.of()).hasGate());
  }

  @ParameterizedTest
  @CsvSource({
    "machine, none, false",
    "machine, host, true",
    "container, none, true",
    "fargate, model, true",
    "lambda, none, true"
  })
  void onlyASandboxClosesItsNetwork(String engine, String network, boolean open) {
    assertEquals(open, agent(engine, Map.of("network", network)).isOpen());
  }

  private static Map<String, Object> gate(String file, Map<String, Object> questions) {
    return Map.of("gate", Map.of("files", Map.of(file, ""), "questions", questions));
  }

  private static Agent agent(String engine, Map<String, Object> entry) {
    return new Agent("a", "a", Duration.ofHours(1), Engine.of(engine).orElseThrow(), entry);
  }
}
