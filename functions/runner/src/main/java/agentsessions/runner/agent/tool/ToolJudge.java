package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;

/// The judge of one turn's tool calls, which keeps its verdicts.
///
/// @param entry how the agent tells of a call
/// @param calls the verdicts, for the comparison with the agent's output
/// @param answered whether a person answers its questions
/// @param consent asked where the permissions say so
public record ToolJudge(
    ToolGateEntry entry,
    PermissionRules permissions,
    boolean answered,
    JudgedCalls calls,
    ToolConsent consent) {
  private static final String ALONE =
      "No person is there to answer. State the assumption that you make, and go on.";

  public static ToolJudge of(
      ToolGateEntry entry, PermissionRules permissions, boolean answered, ToolConsent consent) {
    return new ToolJudge(
        entry, permissions, answered, new JudgedCalls(entry.comparedBy()), consent);
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
    PendingVerdict pending = entry.asks(call) ? answers(call) : ruled(call);
    return () -> calls.judged(key, pending.await());
  }

  /// A question is no tool that anything could be done with: no rule is asked.
  private PendingVerdict answers(AgentToolCall call) {
    return answered ? consent.answers(call) : denied(ALONE);
  }

  private PendingVerdict ruled(AgentToolCall call) {
    PermissionRules.Ruling ruling = permissions.judge(entry.kinds(call), call);
    return switch (ruling.policy()) {
      case DENY -> denied(ruling.reason());
      case ASK -> consent.question(ruling.kind(), call);
      case ALLOW -> () -> Verdict.ALLOWED;
    };
  }

  private static PendingVerdict denied(String reason) {
    return () -> Verdict.denied(reason);
  }
}
