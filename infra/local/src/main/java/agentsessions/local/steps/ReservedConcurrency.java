package agentsessions.local.steps;

import java.util.concurrent.Semaphore;

/// A function with reserved concurrency, as on Lambda: an invocation beyond the limit is throttled,
/// and the state machine tries it again.
public final class ReservedConcurrency implements Lambda {
  private final Lambda function;
  private final Semaphore permits;

  public ReservedConcurrency(int most, Lambda function) {
    this.function = function;
    this.permits = new Semaphore(most);
  }

  @Override
  public byte[] invoke(byte[] payload) throws InterruptedException {
    if (!permits.tryAcquire()) {
      throw new StepError("Lambda.TooManyRequestsException", "as many run as may");
    }
    try {
      return function.invoke(payload);
    } finally {
      permits.release();
    }
  }
}
