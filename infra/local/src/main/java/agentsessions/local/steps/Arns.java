package agentsessions.local.steps;

/// The names of the one state machine and its executions.
public final class Arns {
  /// What the service gets as STATE_MACHINE.
  public static final String MACHINE = "arn:aws:states:us-east-1:000000000000:stateMachine:turn";

  private static final String EXECUTION = "arn:aws:states:us-east-1:000000000000:execution:turn:";

  private Arns() {}

  public static String execution(String name) {
    return EXECUTION + name;
  }

  /// The name in an execution's ARN; the empty string if it is another's.
  public static String name(String arn) {
    return arn.startsWith(EXECUTION) ? arn.substring(EXECUTION.length()) : "";
  }
}
