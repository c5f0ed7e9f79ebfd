package agentsessions.runner.agent.tool;

/// The outcome of judging one tool call.
///
/// @param reason of a denial, as the agent is told it; empty for an allowed call
public record Verdict(boolean allowed, String reason) {
  public static final Verdict ALLOWED = new Verdict(true, "");

  public static Verdict denied(String reason) {
    return new Verdict(false, reason);
  }
}
