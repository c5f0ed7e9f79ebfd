package agentsessions.runner;

/// Thrown where a turn cannot go on for a reason the client is told.
final class TurnFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient TurnError error;

  TurnFailed(TurnError.Code code, String message) {
    super(message);
    this.error = TurnError.of(code, message);
  }

  TurnError error() {
    return error;
  }
}
