package agentsessions.runner.network.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The catalogue's shell under permissions: its script is one call of a tool.
class ShellGateTest {
  @TempDir Path folder;
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.sandboxed(folder);
    bench.work = Bench.nothing();
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "deny");
    permissions.put("hold_seconds", 30);
    permissions.putArray("rules").addObject().put("kind", "execute").put("policy", "ask");
  }

  /// The script has all that JSON escapes, and what bash would replace.
  @Test
  void theWholeScriptIsShownBeforeItRuns() throws IOException {
    bench.service.decider().decides(1, "allow", null);
    String controls =
        IntStream.range(1, 32)
            .filter(code -> code != '\n')
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    String script = "echo \"a\\\\ü & *\" $0\n# \\u0041 " + controls + "\n\n";
    JsonNode result = bench.run(script);
    assertEquals("a\\ü & * /io/message.txt", result.get("reply").textValue(), result::toString);
    JsonNode asked = bench.service.decider().asked().getFirst();
    assertEquals(
        "bash execute", asked.get("tool").textValue() + " " + asked.get("kind").textValue());
    JsonNode input = Json.parse(asked.get("input").textValue()).orElseThrow();
    assertEquals(script, input.get("command").textValue());
  }

  /// So that the reply begins with what was shown, and shows the rest only.
  @Test
  void theTranscriptHasWhatIsPrintedAndNoMore() throws IOException {
    bench.service.decider().decides(1, "allow", null);
    CompletableFuture<Void> turn =
        bench.start("echo one; echo two; until [ -e go ]; do sleep 0.05; done; echo three");
    Bench.await("the first line", () -> bench.said().contains("one"));
    Files.createFile(bench.work("go"));
    turn.join();
    assertEquals("one\n", bench.service.events().getFirst().get("text").textValue());
    assertEquals("one\ntwo\nthree", bench.service.result().get("reply").textValue());
  }

  @Test
  void aDeniedScriptDoesNotRun() throws IOException {
    bench.service.decider().decides(1, "deny", "no");
    JsonNode result = bench.run("touch ran");
    assertEquals(
        "AGENT_FAILED: The agent ended with status 1: Denied: no",
        result.at("/error/code").textValue() + ": " + result.at("/error/message").textValue());
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void aScriptWhoseHookIsKilledDoesNotRun() throws IOException {
    CompletableFuture<Void> turn = bench.start("touch ran");
    Bench.await("its request", () -> !bench.service.decider().asked().isEmpty());
    bench.killHook();
    turn.join();
    JsonNode result = bench.service.result();
    assertEquals("AGENT_FAILED", result.at("/error/code").textValue(), result::toString);
    assertFalse(Files.exists(bench.work("ran")));
  }

  /// Programs and settings of its own, and a process that kills each hook.
  @Test
  void whatAnAllowedScriptHasLeftAnswersForNobody() throws IOException {
    bench.service.decider().decides(0, "allow", null);
    bench.service.decider().decides(1, "deny", "no");
    JsonNode left =
        bench.run(
            """
            printf '#!/bin/bash\ntouch /workspace/forged; exit 0\n' >forge
            chmod +x forge
            for folder in . ~ ~/bin ~/.local/bin /usr/local/bin /usr/bin /opt/gate; do
              mkdir -p $folder
              for name in ask bash cat printf shell; do cp -f forge $folder/$name; done
            done 2>/dev/null
            for file in .bashrc .bash_profile .bash_login .profile .bash_env; do cp forge ~/$file; done
            setsid bash -c 'while :; do pkill -9 -f [/]opt/gate/ask; done' >/dev/null 2>&1 </dev/null &
            echo left
            """);
    assertEquals("left", left.get("reply").textValue(), left::toString);
    JsonNode denied = bench.run("touch ran");
    assertEquals(
        "The agent ended with status 1: Denied: no",
        denied.at("/error/message").textValue(),
        denied::toString);
    assertFalse(Files.exists(bench.work("ran")));
    assertFalse(Files.exists(bench.work("forged")));
  }

  /// An allowed script that asks to run again, and as another one, runs once.
  @Test
  void whatWasAllowedIsOneRunOfOneScript() throws IOException {
    bench.service.decider().decides(0, "allow", null);
    bench.service.decider().decides(0, "deny", null);
    bench.service.decider().decides(0, "deny", null);
    String script =
        """
        { echo ran >>ran
          bash -p /opt/gate/shell
          echo 'echo changed >>ran' >"$AGENT_MESSAGE_FILE"
          bash -p /opt/gate/shell
          exit 0
        } 2>/dev/null
        """;
    JsonNode result = bench.run(script);
    assertEquals("completed", result.get("outcome").textValue(), result::toString);
    assertEquals("ran\n", Files.readString(bench.work("ran")));
    List<JsonNode> asked = bench.service.decider().asked();
    assertEquals(
        List.of("script#1", "script#2", "script#3"),
        asked.stream().map(each -> each.get("call").textValue()).toList());
    assertEquals(
        "{\"command\":\"echo changed >>ran\\n\"}", asked.getLast().get("input").textValue());
  }

  /// Whoever plans is asked nothing; and where no plan can be made, nothing runs.
  @Test
  void aScriptThatIsToBeApprovedIsItsPlan() throws IOException {
    ((ObjectNode) bench.work.get("permissions")).put("plan", true);
    JsonNode result = bench.run("touch ran");
    assertEquals("completed", result.get("outcome").textValue(), result::toString);
    assertEquals("plan", result.at("/artifacts/0/kind").textValue(), result::toString);
    assertEquals("touch ran", Files.readString(bench.work("PLAN.sh")));
    bench.entry.remove("plan");
    assertEquals("AGENT_NOT_AVAILABLE", bench.run("touch ran").at("/error/code").textValue());
    assertFalse(Files.exists(bench.work("ran")));
    assertEquals(List.of(), bench.service.decider().asked());
  }
}
