package agentsessions.runner.control;

import java.time.Duration;

/// Until when something may take.
///
/// @param end as `System.nanoTime` counts
public record TimeLeft(long end) {
  private static final Duration LEAST = Duration.ofMillis(1);

  public static TimeLeft of(Duration left) {
    return new TimeLeft(System.nanoTime() + left.toNanos());
  }

  /// So much earlier.
  public TimeLeft less(Duration kept) {
    return new TimeLeft(end - kept.toNanos());
  }

  public boolean isUp() {
    return end - System.nanoTime() <= 0;
  }

  /// Never less than a millisecond, since a time-out must not be nothing.
  public Duration left() {
    Duration left = Duration.ofNanos(end - System.nanoTime());
    return left.compareTo(LEAST) > 0 ? left : LEAST;
  }

  /// What is left of it, and no more than `most`.
  public Duration atMost(Duration most) {
    Duration left = left();
    return left.compareTo(most) < 0 ? left : most;
  }
}
