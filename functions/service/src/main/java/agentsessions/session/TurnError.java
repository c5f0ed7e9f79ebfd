package agentsessions.session;

import agentsessions.rule.Ceiling;
import agentsessions.rule.TurnErrorCode;
import java.util.List;

/// The error of a failed turn: a stable code, a sentence, and whether sending the message again can
/// help.
public record TurnError(String code, String message, boolean retryable) {
  public static TurnError runnerLost() {
    return of(
        TurnErrorCode.RUNNER_LOST,
        "The process that ran the agent was lost before it could answer.");
  }

  /// Has the code of a lost runner, so that programs treat it alike; the sentence tells a person
  /// that nothing broke.
  public static TurnError serviceStopped() {
    return of(TurnErrorCode.RUNNER_LOST, "The service was stopped before the agent could answer.");
  }

  /// The turn was queued for longer than a turn may be.
  public static TurnError notStarted() {
    return of(TurnErrorCode.NOT_STARTED, "The turn could not be started in time.");
  }

  /// As many runners as allowed were started for it, and none has claimed it.
  public static TurnError neverClaimed(int starts) {
    return of(
        TurnErrorCode.NOT_STARTED,
        "A runner was started %d times and never came to this service for the turn."
            .formatted(starts));
  }

  /// The engine refused to start a runner, or AWS a call that a turn needs, and would refuse again.
  public static TurnError launchRefused() {
    return new TurnError(
        TurnErrorCode.NOT_STARTED.name(),
        "The turn could not be started, by a mistake of the deployment that its log names.",
        false);
  }

  public static TurnError timeLimit() {
    return of(TurnErrorCode.TIME_LIMIT, "The agent did not finish within its time limit.");
  }

  /// At least one of these secrets does not exist any more, or is not allowed for this use.
  public static TurnError secretUnavailable(List<String> names) {
    return of(
        TurnErrorCode.SECRET_UNAVAILABLE,
        "Not to be had any more, or not allowed for this: secret "
            + String.join(", ", names)
            + ".");
  }

  /// A ceiling of the turn, its session or its workspace is reached.
  public static TurnError budgetReached(Ceiling ceiling) {
    return of(TurnErrorCode.BUDGET_REACHED, ceiling.sentence());
  }

  public static TurnError agentNotAvailable(String agentName) {
    return of(
        TurnErrorCode.AGENT_NOT_AVAILABLE,
        "The agent \"%s\" is no longer offered here.".formatted(agentName));
  }

  /// The turn was parked for a decision that nobody made.
  public static TurnError requestExpired() {
    return of(
        TurnErrorCode.REQUEST_EXPIRED,
        "Nobody decided in time on the call that the agent waited to make.");
  }

  /// The agent was to plan, and ended without a plan.
  ///
  /// @param reply the beginning of what it said
  public static TurnError planMissing(String reply) {
    return of(
        TurnErrorCode.PLAN_MISSING,
        "The agent was to write a plan first, and wrote none. It said: " + reply.strip());
  }

  private static TurnError of(TurnErrorCode code, String message) {
    return new TurnError(code.name(), message, code.isRetryable());
  }

  /// The closing sentence a polling client reads (api.md: says so and whether to send it again).
  public String sentence(TurnStatus status) {
    String what = status == TurnStatus.TIMED_OUT ? "timed out" : "failed";
    String next =
        retryable
            ? "You can send the message again."
            : "Sending the same message again will not help.";
    return "This turn %s: %s %s".formatted(what, ended(message.strip()), next);
  }

  private static String ended(String text) {
    return text.isEmpty() || ".!?".indexOf(text.charAt(text.length() - 1)) >= 0 ? text : text + ".";
  }
}
