package agentsessions.rule;

/// A push that waits for a person: nothing was pushed, since the session's permissions ask.
public final class WaitingPush {
  /// The code by which a runner reports it, in place of an error.
  public static final String CODE = "PUSH_WAITS";

  private WaitingPush() {}
}
