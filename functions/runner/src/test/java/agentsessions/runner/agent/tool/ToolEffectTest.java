package agentsessions.runner.agent.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What codex' hook tells of a call, beside what its output shows of the same call.
class ToolEffectTest {
  private static final Path WORKSPACE = Path.of("/workspace");
  private static final ObjectNode NOTHING = Json.MAPPER.createObjectNode();

  /// The lines are codex' own.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '|',
      textBlock =
          """
          ls                | /bin/bash -c ls
          ls                | /usr/bin/sh -lc ls
          ##                | /bin/bash -lc ''
          echo one >a.txt   | /bin/bash -lc 'echo one >a.txt'
          echo 'it is' "a $HOME" `date` ! \\ x ^ | /bin/bash -lc "echo 'it is' \\"a "'$HOME" `date` ! '"\\\\ x "'^'
          """)
  void aCommandIsTheLastWordOfItsLine(String told, String shown) {
    assertEquals(effect(told), shown(call("shell", "command", shown)));
  }

  @Test
  void aCommandKeepsItsLines() {
    assertEquals(
        effect("  echo\n\tü \n"),
        shown(call("shell", "command", "/bin/bash -lc '  echo\n\tü \n'")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls", "/workspace/bash -lc ls", "/bin/bash -lc echo a", "/bin/bash ls"})
  void anotherLineIsNoCommand(String shown) {
    AgentToolCall call = call("shell", "command", shown);
    assertThrows(IllegalArgumentException.class, () -> shown(call));
  }

  @Test
  void aPatchIsItsFiles() throws JsonProcessingException {
    String patch =
        """
        *** Begin Patch
        *** Update File: sub/../b.txt\r
        *** Move to: c.txt
        @@
        -b
        +*** Delete File: d.txt
        *** Add File: /workspace/./a.txt
        +a
        *** End Patch
        """;
    String shown =
        """
        {"changes": [{"path": "/workspace/a.txt", "kind": "add"}, {"path": "/workspace/b.txt", "kind": "update"}]}
        """;
    String told = told(call("apply_patch", "command", patch));
    assertEquals(told, shown(call("apply_patch", shown)));
    assertNotEquals(told, shown(call("apply_patch", shown.replace("add", "delete"))));
    assertNotEquals(told, shown(call("apply_patch", shown.replace("b.txt", "c.txt"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          apply_patch | '*** Begin Patch\n *** Add File: a'
          Bash        | 'apply_patch <<EOF'
          Bash        | ' cd sub && apply_patch <<EOF'
          """)
  void aPatchThatMayBeShownOtherwiseIsDenied(String tool, String text) {
    AgentToolCall call = call(tool, "command", text.replace("\\n", "\n"));
    IllegalArgumentException reason =
        assertThrows(IllegalArgumentException.class, () -> told(call));
    assertTrue(String.valueOf(reason.getMessage()).contains("patch"));
  }

  @Test
  void otherCallsAreTheirInput() throws JsonProcessingException {
    assertEquals(
        told(call("list", "{\"a\":1,\"b\":2}")), shown(call("list", "{\"b\":2,\"a\":1.0}")));
    assertNotEquals(told(call("list", "{}")), shown(call("look", "{}")));
    assertEquals(
        told(call("update_plan", "{\"plan\":[{\"step\":\"a\"}]}")),
        shown(call("update_plan", "{\"plan\":[{\"text\":\"a\"}]}")));
  }

  /// A command that has begun may never end.
  @Test
  void whatWasNotAllowedIsFoundWhenItBegins() {
    JudgedCalls calls = new JudgedCalls(ToolGateEntry.ComparedBy.EFFECT, WORKSPACE);
    AgentToolCall shown = call("shell", "command", "/bin/bash -lc ls");
    calls.judged(calls.key(call("Bash", "command", "ls")), Verdict.ALLOWED);
    calls.judged(calls.key(call("Bash", "command", "rm")), Verdict.denied("no"));
    calls.began(shown);
    calls.ended("1", true, false);
    assertEquals(Optional.empty(), calls.bypass());
    calls.began(call("shell", "command", "/bin/bash -lc rm"));
    assertEquals(Optional.of("shell"), calls.bypass());
  }

  /// Codex resolves a path from the folder that it was started in: of one repository, that.
  @Test
  void aPatchsPathsStartWhereTheAgentDoes() throws JsonProcessingException {
    Path repository = WORKSPACE.resolve("app");
    JudgedCalls calls = new JudgedCalls(ToolGateEntry.ComparedBy.EFFECT, repository);
    String patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch\n";
    calls.judged(calls.key(call("apply_patch", "command", patch)), Verdict.ALLOWED);
    String shown = "{\"changes\": [{\"path\": \"/workspace/%sa.txt\", \"kind\": \"update\"}]}";
    calls.began(call("apply_patch", shown.formatted("app/")));
    assertEquals(Optional.empty(), calls.bypass());
    calls.judged(calls.key(call("apply_patch", "command", patch)), Verdict.ALLOWED);
    calls.began(call("apply_patch", shown.formatted("")));
    assertEquals(Optional.of("apply_patch"), calls.bypass(), "another file of the same name");
  }

  private static String told(AgentToolCall call) {
    return ToolEffect.ofHook(call, WORKSPACE);
  }

  private static String shown(AgentToolCall call) {
    return ToolEffect.ofOutput(call, WORKSPACE);
  }

  private static String effect(String command) {
    return told(call("Bash", "command", command));
  }

  private static AgentToolCall call(String name, String field, String text) {
    return new AgentToolCall("1", name, NOTHING.deepCopy().put(field, text));
  }

  private static AgentToolCall call(String name, String input) throws JsonProcessingException {
    JsonNode json = Json.MAPPER.readTree(input);
    return new AgentToolCall("1", name, json);
  }
}
