package agentsessions.runner.agent.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What codex' hook tells of a call, beside what its output shows of the same call.
class ToolEffectTest {
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
    assertEquals(effect(told), ToolEffect.ofOutput(call("shell", "command", shown)));
  }

  @Test
  void aCommandKeepsItsLines() {
    assertEquals(
        effect("  echo\n\tü \n"),
        ToolEffect.ofOutput(call("shell", "command", "/bin/bash -lc '  echo\n\tü \n'")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ls", "/workspace/bash -lc ls", "/bin/bash -lc echo a", "/bin/bash ls"})
  void anotherLineIsNoCommand(String shown) {
    AgentToolCall call = call("shell", "command", shown);
    assertThrows(IllegalArgumentException.class, () -> ToolEffect.ofOutput(call));
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
    String told = ToolEffect.ofHook(call("apply_patch", "command", patch));
    assertEquals(told, ToolEffect.ofOutput(call("apply_patch", shown)));
    assertNotEquals(told, ToolEffect.ofOutput(call("apply_patch", shown.replace("add", "delete"))));
    assertNotEquals(
        told, ToolEffect.ofOutput(call("apply_patch", shown.replace("b.txt", "c.txt"))));
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
        assertThrows(IllegalArgumentException.class, () -> ToolEffect.ofHook(call));
    assertTrue(String.valueOf(reason.getMessage()).contains("patch"));
  }

  @Test
  void otherCallsAreTheirInput() throws JsonProcessingException {
    assertEquals(
        ToolEffect.ofHook(call("list", "{\"a\":1,\"b\":2}")),
        ToolEffect.ofOutput(call("list", "{\"b\":2,\"a\":1.0}")));
    assertNotEquals(ToolEffect.ofHook(call("list", "{}")), ToolEffect.ofOutput(call("look", "{}")));
    assertEquals(
        ToolEffect.ofHook(call("update_plan", "{\"plan\":[{\"step\":\"a\"}]}")),
        ToolEffect.ofOutput(call("update_plan", "{\"plan\":[{\"text\":\"a\"}]}")));
  }

  /// A command that has begun may never end.
  @Test
  void whatWasNotAllowedIsFoundWhenItBegins() {
    JudgedCalls calls = new JudgedCalls(ToolGateEntry.ComparedBy.EFFECT);
    AgentToolCall shown = call("shell", "command", "/bin/bash -lc ls");
    calls.judged(calls.key(call("Bash", "command", "ls")), Verdict.ALLOWED);
    calls.judged(calls.key(call("Bash", "command", "rm")), Verdict.denied("no"));
    calls.began(shown);
    calls.ended("1", true, false);
    assertEquals(Optional.empty(), calls.bypass());
    calls.began(call("shell", "command", "/bin/bash -lc rm"));
    assertEquals(Optional.of("shell"), calls.bypass());
  }

  private static String effect(String command) {
    return ToolEffect.ofHook(call("Bash", "command", command));
  }

  private static AgentToolCall call(String name, String field, String text) {
    return new AgentToolCall("1", name, NOTHING.deepCopy().put(field, text));
  }

  private static AgentToolCall call(String name, String input) throws JsonProcessingException {
    JsonNode json = Json.MAPPER.readTree(input);
    return new AgentToolCall("1", name, json);
  }
}
