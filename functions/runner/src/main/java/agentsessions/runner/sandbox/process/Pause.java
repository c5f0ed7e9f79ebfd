package agentsessions.runner.sandbox.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A short wait between two polls of something outside of this process that sends no notification.
public final class Pause {
  private Pause() {}

  /// Returns at once if the thread is interrupted, and leaves it interrupted.
  public static void millis(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
