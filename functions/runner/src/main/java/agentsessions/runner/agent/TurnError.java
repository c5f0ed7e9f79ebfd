package agentsessions.runner.agent;

/// The reason why a turn has no reply, as the service records it.
///
/// @param message a sentence for the client
/// @param retryable whether sending the same message again may help
public record TurnError(Code code, String message, boolean retryable) {

  public enum Code {
    AGENT_FAILED(true),
    EMPTY_REPLY(true),
    TIME_LIMIT(false),
    LIMIT_EXCEEDED(false),
    BUDGET_REACHED(false),
    SANDBOX_FAILED(true),
    REPOSITORY_UNAVAILABLE(true),
    FILE_UNAVAILABLE(true),
    SETUP_FAILED(true),
    AGENT_NOT_AVAILABLE(false);

    private final boolean retryable;

    Code(boolean retryable) {
      this.retryable = retryable;
    }
  }

  /// The same without what `mask` hides.
  public TurnError masked(Mask mask) {
    return new TurnError(code, mask.text(message), retryable);
  }

  public static TurnError of(Code code, String message) {
    return new TurnError(code, message, code.retryable);
  }
}
