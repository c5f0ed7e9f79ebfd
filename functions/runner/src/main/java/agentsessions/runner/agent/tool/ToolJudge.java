package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;

/// The judge of one turn's tool calls, which keeps its verdicts.
///
/// @param entry how the agent tells of a call
/// @param calls the verdicts, for the comparison with the agent's output
/// @param consent asked where the permissions say so
public record ToolJudge(
    ToolGateEntry entry, PermissionRules permissions, JudgedCalls calls, ToolConsent consent) {

  public static ToolJudge of(
      ToolGateEntry entry, PermissionRules permissions, ToolConsent consent) {
    return new ToolJudge(entry, permissions, new JudgedCalls(entry.comparedBy()), consent);
  }

  /// Judges a call that a hook asks about; one that cannot be read is denied.
  public PendingVerdict judge(JsonNode told) {
    AgentToolCall call = entry.call(told);
    if (call.name().isEmpty()) {
      return denied("The call has no tool.");
    }
    if (call.id().isEmpty() && entry.comparedBy() == ToolGateEntry.ComparedBy.ID) {
      return denied("The call has no id.");
    }
    try {
      return judge(call);
    } catch (IllegalArgumentException unreadable) {
      return denied(String.valueOf(unreadable.getMessage()));
    }
  }

  private PendingVerdict judge(AgentToolCall call) {
    String key = calls.key(call);
    PermissionRules.Ruling ruling = permissions.judge(entry.kinds(call), call);
    PendingVerdict pending =
        switch (ruling.policy()) {
          case DENY -> denied(ruling.reason());
          case ASK -> consent.question(ruling.kind(), call);
          case ALLOW -> () -> Verdict.ALLOWED;
        };
    return () -> calls.judged(key, pending.await());
  }

  private static PendingVerdict denied(String reason) {
    return () -> Verdict.denied(reason);
  }
}
