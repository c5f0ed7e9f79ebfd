package agentsessions.table;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// The deadline for retries of AWS calls. A request gets 20 seconds, so that its answer comes
/// before the gateway gives up at 29; work outside a request gets 15 a call.
public final class RetryDeadline {
  public static final Duration REQUEST = Duration.ofSeconds(20);
  private static final Duration CALL = Duration.ofSeconds(15);
  private static final ScopedValue<Long> END = ScopedValue.newInstance();

  /// Runs `work` within `budget`; everything it calls on this thread shares it.
  public static <T, X extends Throwable> T within(
      Duration budget, ScopedValue.CallableOp<T, X> work) throws X {
    return ScopedValue.where(END, System.nanoTime() + budget.toNanos()).call(work);
  }

  /// The same, for work without a result.
  public static void run(Duration budget, Runnable work) {
    ScopedValue.where(END, System.nanoTime() + budget.toNanos()).run(work);
  }

  static Duration remaining() {
    if (!END.isBound()) {
      return CALL;
    }
    Duration remaining = Duration.ofNanos(END.get() - System.nanoTime());
    return remaining.compareTo(CALL) < 0 ? remaining : CALL;
  }

  /// Throws where no time is left for another try of a contended write.
  static void check(String what) {
    if (!remaining().isPositive()) {
      throw new Unavailable(what, new TimeoutException("no time is left to try again"));
    }
  }

  private RetryDeadline() {}
}
