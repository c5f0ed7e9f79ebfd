package agentsessions.local.steps;

/// The names of the state machines and of their executions.
public enum Arns {
  TURN("turn"),
  EXPORT("export");

  private static final String STATES = "arn:aws:states:us-east-1:000000000000:";

  private final String machine;
  private final String executions;

  Arns(String name) {
    machine = STATES + "stateMachine:" + name;
    executions = STATES + "execution:" + name + ":";
  }

  /// What the service knows the machine by.
  public String machine() {
    return machine;
  }

  public String execution(String name) {
    return executions + name;
  }

  /// Whether an execution's ARN is of this machine.
  public boolean isOf(String arn) {
    return arn.startsWith(executions);
  }

  /// The name in the ARN of an execution of this machine.
  public String name(String arn) {
    return arn.substring(executions.length());
  }
}
