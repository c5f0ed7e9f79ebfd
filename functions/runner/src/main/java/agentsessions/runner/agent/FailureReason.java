package agentsessions.runner.agent;

import agentsessions.rule.TurnErrorCode;

/// The error of a turn without a reply.
///
/// @param message a sentence for the client
/// @param retryable whether sending the same message again may help
public record FailureReason(TurnErrorCode code, String message, boolean retryable) {
  /// The same reason with secrets masked.
  public FailureReason masked(Mask mask) {
    return new FailureReason(code, mask.text(message), retryable);
  }

  public static FailureReason of(TurnErrorCode code, String message) {
    return new FailureReason(code, message, code.isRetryable());
  }
}
