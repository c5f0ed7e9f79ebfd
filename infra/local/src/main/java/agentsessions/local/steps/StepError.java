package agentsessions.local.steps;

/// An error as a state machine sees it: a name that `Retry` and `Catch` match, and a cause for
/// people.
public final class StepError extends RuntimeException {
  static final String ALL = "States.ALL";
  static final String TASK_FAILED = "States.TaskFailed";
  static final String TIMEOUT = "States.Timeout";
  static final String QUERY = "States.QueryEvaluationError";
  static final String DATA_LIMIT = "States.DataLimitExceeded";
  static final String RUNTIME = "States.Runtime";

  /// A task ended because the whole service does. Not of Step Functions, which are never stopped.
  static final String STOPPED = "Service.Stopped";

  /// The process of a runner has ended, so that nobody runs what it had begun. Not of Lambda, which
  /// does not know which of its tries has begun.
  public static final String ENDED = "Runner.Ended";

  private final String error;

  public StepError(String error, String cause) {
    super(cause);
    this.error = error;
  }

  public String error() {
    return error;
  }

  public String cause() {
    return String.valueOf(getMessage());
  }

  /// `States.ALL` leaves out two errors that nothing can catch; `States.TaskFailed` also leaves out
  /// time-outs.
  boolean matches(String pattern) {
    boolean catchable = !error.equals(DATA_LIMIT) && !error.equals(RUNTIME);
    return switch (pattern) {
      case ALL -> catchable;
      case TASK_FAILED -> catchable && !error.equals(TIMEOUT);
      default -> error.equals(pattern);
    };
  }
}
