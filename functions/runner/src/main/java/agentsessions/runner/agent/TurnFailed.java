package agentsessions.runner.agent;

/// Thrown where a turn cannot go on; its error is reported to the client.
public class TurnFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient TurnError error;

  public TurnFailed(TurnError.Code code, String message) {
    super(message);
    this.error = TurnError.of(code, message);
  }

  public TurnError error() {
    return error;
  }
}
