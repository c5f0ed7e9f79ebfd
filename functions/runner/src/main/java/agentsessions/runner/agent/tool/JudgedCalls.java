package agentsessions.runner.agent.tool;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The verdicts on the tool calls of one turn, compared with the calls that its agent's output
/// shows. A call that has run and was not allowed is a bypass of the gate: an agent can always get
/// around its own hook, and this is how that is seen.
///
/// Calls are compared before secrets are masked, and when their result comes: a call without one
/// was interrupted. Those that are compared by their effect are compared when they begin: their
/// agent shows none before its hook has allowed it. A verdict without a call is nothing, since the
/// calls of an agent's own agents are not all shown.
public final class JudgedCalls {
  /// The most verdicts of one turn, and the most calls that are open at once, which bound the
  /// memory; what is beyond is denied, or taken for a bypass.
  private static final int MOST = 20_000;

  private final ToolGateEntry.ComparedBy comparedBy;
  private final Map<String, Integer> allowed = new HashMap<>();
  private final Map<String, Integer> denied = new HashMap<>();
  private final Map<String, AgentToolCall> open = new HashMap<>();
  private Optional<String> bypass = Optional.empty();
  private Runnable onBypass = () -> {};

  public JudgedCalls(ToolGateEntry.ComparedBy comparedBy) {
    this.comparedBy = comparedBy;
  }

  /// Has this run once there is a bypass.
  public synchronized void onBypass(Runnable action) {
    onBypass = action;
    bypass.ifPresent(_ -> action.run());
  }

  /// The tool of the first call that has run without having been allowed.
  public synchronized Optional<String> bypass() {
    return bypass;
  }

  /// The name under which a call's verdict is kept.
  ///
  /// @throws IllegalArgumentException if the input cannot be read, where calls are compared by it
  String key(AgentToolCall call) {
    return switch (comparedBy) {
      case ID -> call.name() + " " + call.id();
      case INPUT -> call.name() + " " + call.canonicalInput();
      case EFFECT -> ToolEffect.told(call);
    };
  }

  /// Keeps a verdict, and returns the one that holds.
  synchronized Verdict judged(String key, Verdict verdict) {
    if (allowed.size() + denied.size() >= MOST) {
      return Verdict.denied("This turn has called more tools than can be judged.");
    }
    (verdict.allowed() ? allowed : denied).merge(key, 1, Integer::sum);
    return verdict;
  }

  /// The output shows a call that has begun.
  public synchronized void began(AgentToolCall call) {
    if (comparedBy == ToolGateEntry.ComparedBy.EFFECT) {
      compare(call, false);
    } else if (open.size() >= MOST) {
      bypassed(call.name());
    } else {
      open.put(call.id(), call);
    }
  }

  /// The output shows the end of the call with this id, if it has shown its beginning.
  ///
  /// @param failed whether it failed, as a denied one does
  /// @param refused whether the agent itself refused it before its hook was asked
  public synchronized void ended(String id, boolean failed, boolean refused) {
    AgentToolCall call = open.remove(id);
    if (call != null && !refused) {
      compare(call, failed);
    }
  }

  private void compare(AgentToolCall call, boolean failed) {
    if (!isJudged(call, failed)) {
      bypassed(call.name());
    }
  }

  private boolean isJudged(AgentToolCall call, boolean failed) {
    try {
      boolean isByEffect = comparedBy == ToolGateEntry.ComparedBy.EFFECT;
      return take(isByEffect ? ToolEffect.shown(call) : key(call), failed);
    } catch (IllegalArgumentException unreadable) {
      return false; // no such call was allowed
    }
  }

  private boolean take(String key, boolean failed) {
    return took(allowed, key) || (failed && took(denied, key));
  }

  private static boolean took(Map<String, Integer> verdicts, String key) {
    Integer left = verdicts.remove(key);
    if (left != null && left > 1) {
      verdicts.put(key, left - 1);
    }
    return left != null;
  }

  private void bypassed(String tool) {
    if (bypass.isEmpty()) {
      bypass = Optional.of(tool);
      onBypass.run();
    }
  }
}
