package agentsessions.rule;

/// The error codes of a turn without a reply, as the API spells them.
public enum TurnErrorCode {
  AGENT_FAILED(true),
  EMPTY_REPLY(true),
  TIME_LIMIT(false),
  LIMIT_EXCEEDED(false),
  BUDGET_REACHED(false),
  UNAPPROVED_CALL(false),
  REQUEST_EXPIRED(true),
  PLAN_MISSING(true),
  SANDBOX_FAILED(true),
  REPOSITORY_UNAVAILABLE(true),
  FILE_UNAVAILABLE(true),
  SETUP_FAILED(true),
  AGENT_NOT_AVAILABLE(false),
  SECRET_UNAVAILABLE(false),
  NOT_STARTED(true),
  RUNNER_LOST(true);

  private final boolean retryable;

  TurnErrorCode(boolean retryable) {
    this.retryable = retryable;
  }

  /// Whether sending the same message again may help; a single error can say otherwise.
  public boolean isRetryable() {
    return retryable;
  }
}
