package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;

/// A command of codex on which a person decides, whose folder its hook is not told. It is shown
/// with the agent's start folder, and what the hook answers has it run there or not at all.
///
/// Why: decision 041.
record PlacedCommand(AgentToolCall call, Path folder) {
  private static final String COMMAND = "command";

  /// The call as a person sees it.
  AgentToolCall shown() {
    ObjectNode input = call.input().deepCopy();
    return with(input.put("workdir", folder.toString()));
  }

  /// The call as it runs. Folders are compared by device and inode, however they are called.
  AgentToolCall guarded() {
    ObjectNode input = call.input().deepCopy();
    String quoted = "'" + folder.toString().replace("'", "'\\''") + "'";
    String guard =
        """
        [ . -ef %1$s ] || { echo A command on which a person decides runs in %1$s only. Name another folder by cd in the command. >&2; exit 126; }
        """
            .formatted(quoted);
    return with(input.put(COMMAND, guard + input.path(COMMAND).asText()));
  }

  /// What the hook prints to have that run: `allow` alone would be an error of codex'.
  String answer() {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer
        .putObject("hookSpecificOutput")
        .put("hookEventName", "PreToolUse")
        .put("permissionDecision", "allow")
        .putObject("updatedInput")
        .put(COMMAND, guarded().input().path(COMMAND).asText());
    return answer.toString();
  }

  private AgentToolCall with(ObjectNode input) {
    return new AgentToolCall(call.id(), call.name(), input, call.inner());
  }
}
