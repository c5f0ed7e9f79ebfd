package agentsessions.local.machine;

/// A failure of the start, with one line for people that names the reason and the way out.
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

  /// A failure that the next start may not meet, such as the death of a child process.
  public static CannotStart forNow(String reason) {
    return new CannotStart(reason, true);
  }

  /// Whether another start may succeed without any change.
  public boolean isForNow() {
    return forNow;
  }

  /// The line for people.
  public String reason() {
    return String.valueOf(getMessage());
  }
}
