package agentsessions.local.steps;

/// A Lambda function that a Task state invokes: JSON in, JSON out.
@FunctionalInterface
public interface Lambda {
  /// Calls the function and waits for its answer.
  ///
  /// @throws StepError with the error name that Step Functions would see
  byte[] invoke(byte[] payload) throws InterruptedException;
}
