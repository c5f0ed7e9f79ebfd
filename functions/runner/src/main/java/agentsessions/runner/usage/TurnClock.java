package agentsessions.runner.usage;

import java.time.Duration;
import java.util.function.LongSupplier;

/// A monotonic clock of a turn's own time: it stands still while the agent waits for a person's
/// decision.
public final class TurnClock {
  private final LongSupplier time;
  private long held;
  private long since;
  private boolean stands;

  public TurnClock() {
    this(System::nanoTime);
  }

  /// @param time nanoseconds of a monotonic clock
  public TurnClock(LongSupplier time) {
    this.time = time;
  }

  /// In nanoseconds, from any beginning.
  public synchronized long nanos() {
    return (stands ? since : time.getAsLong()) - held;
  }

  /// The time for which it has stood still.
  public synchronized Duration held() {
    return Duration.ofNanos(stands ? held + time.getAsLong() - since : held);
  }

  /// Stops the clock, which must run.
  public synchronized void hold() {
    since = time.getAsLong();
    stands = true;
  }

  /// Starts it again.
  public synchronized void resume() {
    held += time.getAsLong() - since;
    stands = false;
  }
}
