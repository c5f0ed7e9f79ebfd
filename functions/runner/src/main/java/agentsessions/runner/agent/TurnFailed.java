package agentsessions.runner.agent;

import agentsessions.rule.TurnErrorCode;

/// Thrown if a turn cannot go on for a reason that is reported to the client.
public class TurnFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient FailureReason error;

  public TurnFailed(TurnErrorCode code, String message) {
    super(message);
    this.error = FailureReason.of(code, message);
  }

  public FailureReason error() {
    return error;
  }
}
