package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;

/// The judge of one turn's tool calls, which keeps its verdicts.
///
/// @param entry how the agent tells of a call
/// @param calls the verdicts, for the comparison with the agent's output
public record ToolJudge(ToolGateEntry entry, PermissionRules permissions, JudgedCalls calls) {

  public static ToolJudge of(ToolGateEntry entry, PermissionRules permissions) {
    return new ToolJudge(entry, permissions, new JudgedCalls(entry.comparedBy()));
  }

  /// Judges a call that a hook asks about; one that cannot be read is denied.
  public Verdict judge(JsonNode told) {
    AgentToolCall call = entry.call(told);
    if (call.name().isEmpty()) {
      return Verdict.denied("The call has no tool.");
    }
    try {
      return calls.judged(call, permissions.judge(entry.kinds(call), call));
    } catch (IllegalArgumentException unreadable) {
      return Verdict.denied("The call's input could not be read.");
    }
  }
}
