package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A trusted agent where no sandbox can be made.
class UnconfinedTest {
  @TempDir Path folder;
  private final ProcessMark mark = ProcessMark.fresh();
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.unconfined(folder);
  }

  @Test
  void sessionIsTheSameToItsClient() throws IOException {
    JsonNode result =
        bench.run(
            "echo 1 > $AGENT_WORKSPACE/PLAN.md; cat $AGENT_MESSAGE_FILE | wc -l; env | grep -c SECRET");
    assertEquals("/workspace/PLAN.md", result.at("/artifacts/0/path").textValue());
    assertTrue(
        result.at("/error/message").textValue().endsWith("status 1: 0\n0"), result.toString());
  }

  @Test
  void daemonsAreGoneAfterTheTurn() throws IOException {
    bench.run("(setsid %1$s >/dev/null 2>&1 &); setsid %1$s & echo ok".formatted(mark.sleep()));
    assertFalse(mark.isRunning());
  }

  @Test
  void interruptReachesEverything() {
    bench.interrupt("(setsid %1$s &); touch ready; %1$s".formatted(mark.sleep()));
    assertFalse(mark.isRunning());
  }

  /// A push goes through a proxy even here, and a connection through none.
  @ParameterizedTest
  @CsvSource({"push, completed", "host, failed"})
  void rulesForHostsCannotBeHeld(String kind, String outcome) throws IOException {
    bench.work = Bench.nothing();
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    permissions.putArray("rules").addObject().put("kind", kind).put("policy", "deny");
    permissions.put("hold_seconds", 30).put("questions", false);
    assertEquals(outcome, bench.run("echo done").get("outcome").textValue());
  }

  /// Its network is the machine's, too; and that tools are judged does not hold hosts.
  @ParameterizedTest
  @ValueSource(strings = {"", "execute"})
  void noSetupRunsWhereRulesForHostsCannotBeHeld(String judged) throws IOException {
    bench.work = Bench.nothing().put("setup", "touch ran");
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    ArrayNode rules = permissions.putArray("rules");
    rules.addObject().put("kind", "host").put("policy", "deny");
    if (!judged.isEmpty()) {
      rules.addObject().put("kind", judged).put("policy", "ask");
    }
    permissions.put("hold_seconds", 30).put("questions", false);
    JsonNode error = bench.run("echo done").path("error");
    assertEquals(
        "AGENT_NOT_AVAILABLE: The session has rules for hosts, and nothing is between this agent"
            + " and the network.",
        error.path("code").asText() + ": " + error.path("message").asText());
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void agentThatIsNotTrustedDoesNotRun() throws IOException {
    bench.entry.put("isolation", "sandbox");
    assertEquals("AGENT_NOT_AVAILABLE", bench.run("echo no").at("/error/code").textValue());
  }
}
