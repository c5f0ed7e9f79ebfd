package agentsessions.local.machine;

/// Why the service cannot start, in one line for a person, with the way out.
public final class CannotStart extends RuntimeException {
  public CannotStart(String reason) {
    super(reason);
  }

  public CannotStart(String reason, Throwable cause) {
    super(reason, cause);
  }

  /// The one line.
  public String reason() {
    return String.valueOf(getMessage());
  }
}
