package agentsessions.runner.agent.tool;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
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

  /// The longest text that is kept of a call: an agent may make its inputs, names and ids as long
  /// as what it can tell at once.
  private static final int KEPT = 200;

  private final ToolGateEntry.ComparedBy comparedBy;
  private final Path start;
  private final Map<String, Integer> allowed = new HashMap<>();
  private final Map<String, Integer> denied = new HashMap<>();
  private final Map<String, Open> open = new HashMap<>();
  private Optional<String> bypass = Optional.empty();
  private Runnable onBypass = () -> {};

  /// A call that the output has shown, and whose end it has not.
  ///
  /// @param name of its tool, cut where it is long
  /// @param key empty where its input cannot be read: no such call was allowed
  private record Open(String name, Optional<String> key) {}

  /// @param start the agent's working directory
  public JudgedCalls(ToolGateEntry.ComparedBy comparedBy, Path start) {
    this.comparedBy = comparedBy;
    this.start = start;
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
    return kept(
        switch (comparedBy) {
          case ID -> call.name() + " " + call.id();
          case INPUT -> call.name() + " " + call.canonicalInput();
          case EFFECT -> ToolEffect.ofHook(call, start);
        });
  }

  /// The name under which the denial of a call is kept that has no such name.
  static String unreadable(String tool) {
    return abridged(tool) + " ?";
  }

  /// The text, or its hash where it is long.
  private static String kept(String text) {
    try {
      return text.length() <= KEPT
          ? text
          : HexFormat.of()
              .formatHex(
                  MessageDigest.getInstance("SHA-256")
                      .digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String abridged(String name) {
    return name.codePointCount(0, name.length()) <= KEPT
        ? name
        : name.codePoints()
            .limit(KEPT)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .append('…')
            .toString();
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
    Open shown = new Open(abridged(call.name()), shown(call));
    if (comparedBy == ToolGateEntry.ComparedBy.EFFECT) {
      compare(shown, false);
    } else if (open.size() >= MOST) {
      bypassed(shown.name());
    } else {
      open.put(kept(call.id()), shown);
    }
  }

  private Optional<String> shown(AgentToolCall call) {
    try {
      boolean isByEffect = comparedBy == ToolGateEntry.ComparedBy.EFFECT;
      return Optional.of(isByEffect ? kept(ToolEffect.ofOutput(call, start)) : key(call));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /// The output shows the end of the call with this id, if it has shown its beginning.
  ///
  /// @param failed whether it failed, as a denied one does
  /// @param refused whether the agent itself refused it before its hook was asked
  public synchronized void ended(String id, boolean failed, boolean refused) {
    Open call = open.remove(kept(id));
    if (call != null && !refused) {
      compare(call, failed);
    }
  }

  private void compare(Open call, boolean failed) {
    boolean isJudged =
        call.key().isPresent()
            ? take(call.key().get(), failed)
            : failed && took(denied, unreadable(call.name()));
    if (!isJudged) {
      bypassed(call.name());
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
