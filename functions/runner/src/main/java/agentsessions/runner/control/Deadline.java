package agentsessions.runner.control;

import agentsessions.runner.usage.TurnClock;
import java.time.Duration;
import java.util.function.LongSupplier;

/// A deadline on this process's monotonic clock.
///
/// @param end the deadline in the time of `System.nanoTime`
public record Deadline(long end) {
  private static final Duration LEAST = Duration.ofMillis(1);

  public static Deadline of(Duration remaining) {
    return new Deadline(System.nanoTime() + remaining.toNanos());
  }

  /// The deadline that is earlier by this much.
  public Deadline less(Duration kept) {
    return new Deadline(end - kept.toNanos());
  }

  public boolean isUp() {
    return end - System.nanoTime() <= 0;
  }

  /// The remaining time; at least a millisecond, since a timeout must not be zero.
  public Duration remaining() {
    Duration remaining = Duration.ofNanos(end - System.nanoTime());
    return remaining.compareTo(LEAST) > 0 ? remaining : LEAST;
  }

  /// The remaining time, but not more than `most`.
  public Duration atMost(Duration most) {
    Duration remaining = remaining();
    return remaining.compareTo(most) < 0 ? remaining : most;
  }

  /// The nanoseconds that are left of a turn's own time from now on, but not more than until this
  /// deadline, which does not wait for anyone.
  public LongSupplier nanosLeft(TurnClock clock, Duration own) {
    long last = clock.nanos() + own.toNanos();
    return () -> Math.min(last - clock.nanos(), end - System.nanoTime());
  }
}
