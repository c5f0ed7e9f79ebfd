package agentsessions.local.steps;

/// The ARNs of the state machines and of their executions.
public enum StateMachineArns {
  TURN("turn"),
  EXPORT("export");

  private static final String STATES = "arn:aws:states:us-east-1:000000000000:";

  private final String machine;
  private final String executions;

  StateMachineArns(String name) {
    machine = STATES + "stateMachine:" + name;
    executions = STATES + "execution:" + name + ":";
  }

  /// The ARN of the state machine.
  public String machine() {
    return machine;
  }

  public String execution(String name) {
    return executions + name;
  }

  /// Whether an ARN is of an execution of this machine.
  public boolean isOf(String arn) {
    return arn.startsWith(executions);
  }

  /// The name of an execution, from its ARN.
  public String name(String arn) {
    return arn.substring(executions.length());
  }
}
