package agentsessions.runner.sandbox.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A short wait between two looks at something outside of this process that cannot be waited for.
public final class Pause {
  private Pause() {}

  /// No wait at all for a thread that is interrupted, which it stays.
  public static void millis(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
