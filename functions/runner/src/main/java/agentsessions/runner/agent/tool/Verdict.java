package agentsessions.runner.agent.tool;

/// The outcome of judging one tool call.
///
/// @param text of a denial, the reason as the agent is told it; else what its hook prints, empty
///   for a call that is allowed as it is
public record Verdict(Kind kind, String text) {
  public static final Verdict ALLOWED = new Verdict(Kind.ALLOWED, "");

  /// The outcome: the call runs, does not, or is kept by the agent, which ends, until it is started
  /// again.
  public enum Kind {
    ALLOWED,
    DENIED,
    DEFERRED
  }

  /// A permission with which the hook prints something.
  public static Verdict allowedBy(String answer) {
    return new Verdict(Kind.ALLOWED, answer);
  }

  public static Verdict denied(String reason) {
    return new Verdict(Kind.DENIED, reason);
  }

  public static Verdict deferred(String answer) {
    return new Verdict(Kind.DEFERRED, answer);
  }

  public boolean allowed() {
    return kind == Kind.ALLOWED;
  }
}
