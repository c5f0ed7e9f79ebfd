package agentsessions.local.machine;

/// Why the service cannot start, in one line for a person, with the way out.
public final class CannotStart extends RuntimeException {
  private final boolean forNow;

  public CannotStart(String reason) {
    this(reason, false);
  }

  public CannotStart(String reason, Throwable cause) {
    super(reason, cause);
    this.forNow = false;
  }

  private CannotStart(String reason, boolean forNow) {
    super(reason);
    this.forNow = forNow;
  }

  /// Of a start that was broken off by what the next one may not meet, such as a child's death.
  public static CannotStart forNow(String reason) {
    return new CannotStart(reason, true);
  }

  /// Whether another start may succeed though nobody changes anything.
  public boolean isForNow() {
    return forNow;
  }

  /// The one line.
  public String reason() {
    return String.valueOf(getMessage());
  }
}
