package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The judge of one turn's tool calls, which keeps its verdicts.
///
/// @param entry how the agent tells of a call
/// @param workspace where edits are of kind `edit` alone
/// @param calls the verdicts, for the comparison with the agent's output
/// @param answered whether a person answers its questions
/// @param consent asked where the permissions say so
/// @param planMode the mode in which the agent is only to plan; null where it may work
/// @param closed why no call at all may run; null where the permissions decide
public record ToolJudge(
    ToolGateEntry entry,
    WorkspaceFolder workspace,
    PermissionRules permissions,
    boolean answered,
    JudgedCalls calls,
    ToolConsent consent,
    @Nullable PlanMode planMode,
    @Nullable String closed) {
  private static final String ALONE =
      "No person is there to answer. State the assumption that you make, and go on.";
  private static final String NOT_NOTED = "Nobody can decide on it now. Make it again later.";
  private static final String PLANNING =
      "You are to write a plan now, and nothing else: once it is approved, you carry it out.";

  /// The judge of one turn, which has judged nothing yet.
  public static ToolJudge of(
      ToolGateEntry entry,
      WorkspaceFolder workspace,
      PermissionRules permissions,
      boolean answered,
      ToolConsent consent,
      @Nullable PlanMode planMode) {
    JudgedCalls calls = new JudgedCalls(entry.comparedBy(), workspace.start());
    return new ToolJudge(entry, workspace, permissions, answered, calls, consent, planMode, null);
  }

  /// A judge that denies everything.
  ///
  /// @param consent told of the denials
  public static ToolJudge closed(
      ToolGateEntry entry, WorkspaceFolder workspace, ToolConsent consent, String why) {
    JudgedCalls calls = new JudgedCalls(entry.comparedBy(), workspace.start());
    return new ToolJudge(entry, workspace, PermissionRules.ALL, false, calls, consent, null, why);
  }

  /// Judges a call that a hook asks about; one that cannot be read is denied.
  public PendingVerdict judge(JsonNode hookInput) {
    AgentToolCall call = entry.call(hookInput);
    if (call.name().isEmpty()) {
      return denied("The call has no tool.");
    }
    if (call.id().isEmpty() && entry.comparedBy() == ToolGateEntry.ComparedBy.ID) {
      return denied("The call has no id.");
    }
    return judge(call);
  }

  /// The denial of what cannot be read is a verdict, too: the agent shows such a call as failed.
  private PendingVerdict judge(AgentToolCall call) {
    try {
      return kept(call, calls.key(call), readable(call));
    } catch (IllegalArgumentException unreadable) {
      return kept(call, JudgedCalls.unreadable(call.name()), denied(unreadable));
    }
  }

  private PendingVerdict kept(AgentToolCall call, String key, PendingVerdict pending) {
    return () -> {
      Verdict verdict = noted(call, pending.await());
      return calls.judged(isGuarded(verdict) ? guardedKey(call) : key, verdict);
    };
  }

  private static boolean isGuarded(Verdict verdict) {
    return verdict.allowed() && !verdict.text().isEmpty();
  }

  /// What will run is what a guarded command is compared by.
  private String guardedKey(AgentToolCall call) {
    return calls.key(entry.placed(call, workspace).orElseThrow().guarded());
  }

  private Verdict noted(AgentToolCall call, Verdict verdict) {
    return consent.notes(call, verdict) ? verdict : Verdict.denied(NOT_NOTED);
  }

  private PendingVerdict readable(AgentToolCall call) {
    if (closed != null) {
      return denied(closed);
    }
    try {
      return entry.asks(call) ? answers(call) : planned(call);
    } catch (IllegalArgumentException unreadable) {
      return denied(unreadable);
    }
  }

  /// A question is no tool that anything could be done with: no rule is asked.
  private PendingVerdict answers(AgentToolCall call) {
    return answered ? consent.answers(call) : denied(ALONE);
  }

  private PendingVerdict planned(AgentToolCall call) {
    return planMode != null && planMode.denies(entry.kinds(call, workspace), call)
        ? denied(PLANNING)
        : ruled(call);
  }

  private PendingVerdict ruled(AgentToolCall call) {
    List<String> kinds = kinds(call);
    PermissionRules.Ruling ruling = permissions.judge(kinds, call);
    return switch (ruling.policy()) {
      case DENY -> denied(ruling.reason());
      case ASK ->
          asked(
              kinds.contains(ToolGateEntry.EDIT_OUTSIDE)
                  ? ToolGateEntry.EDIT_OUTSIDE
                  : ruling.kind(),
              call);
      case ALLOW -> () -> Verdict.ALLOWED;
    };
  }

  private PendingVerdict asked(String kind, AgentToolCall call) {
    Optional<PlacedCommand> placed = entry.placed(call, workspace);
    PendingVerdict pending = consent.question(kind, placed.map(PlacedCommand::shown).orElse(call));
    return () -> {
      Verdict verdict = pending.await();
      return verdict.allowed() && placed.isPresent()
          ? Verdict.allowedBy(placed.get().answer())
          : verdict;
    };
  }

  private List<String> kinds(AgentToolCall call) {
    return planMode != null && planMode.writesPlanOutsideOf(workspace, call)
        ? List.of(PlanMode.EDIT)
        : entry.kinds(call, workspace);
  }

  private static PendingVerdict denied(IllegalArgumentException unreadable) {
    return denied(String.valueOf(unreadable.getMessage()));
  }

  private static PendingVerdict denied(String reason) {
    return () -> Verdict.denied(reason);
  }
}
