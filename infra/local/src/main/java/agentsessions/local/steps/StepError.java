package agentsessions.local.steps;

/// An error of a state machine's task: a name that `Retry` and `Catch` match, and a cause for
/// people.
public final class StepError extends RuntimeException {
  static final String ALL = "States.ALL";
  static final String TASK_FAILED = "States.TaskFailed";
  static final String TIMEOUT = "States.Timeout";
  static final String QUERY = "States.QueryEvaluationError";
  static final String DATA_LIMIT = "States.DataLimitExceeded";
  static final String RUNTIME = "States.Runtime";

  /// The error of a task that ends because the service stops. Step Functions has no such error.
  static final String STOPPED = "Service.Stopped";

  /// The error of a task whose runner process has ended, so its turn cannot continue. Lambda has no
  /// such error, since it cannot tell whether a try had begun.
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

  /// Whether a name in `ErrorEquals` matches. `States.ALL` excludes the two errors that cannot be
  /// caught; `States.TaskFailed` also excludes time-outs.
  boolean matches(String pattern) {
    boolean catchable = !error.equals(DATA_LIMIT) && !error.equals(RUNTIME);
    return switch (pattern) {
      case ALL -> catchable;
      case TASK_FAILED -> catchable && !error.equals(TIMEOUT);
      default -> error.equals(pattern);
    };
  }
}
