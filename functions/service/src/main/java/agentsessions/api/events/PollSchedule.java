package agentsessions.api.events;

import agentsessions.table.ChangeSignal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// The polling schedule of a request for events. Where a signal reports every change, a change ends
/// the wait; else there are a few polls soon, and then one every second.
final class PollSchedule {
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofMillis(250);
  private static final Duration LATER = Duration.ofSeconds(1);
  private static final Duration HALF_VISIBLE = Duration.ofMillis(50);
  private static final int SOON_TIMES = 4;

  private final boolean isSignalled;
  private final long collectNanos;
  private long end;
  private long nextHeartbeat;
  private int polls;
  private boolean collecting;

  /// @param isSignalled whether the change signal reports every change
  /// @param longest how long to wait for something to happen
  /// @param collect how long to wait for more once something has
  PollSchedule(boolean isSignalled, Duration longest, Duration collect) {
    this.isSignalled = isSignalled;
    this.collectNanos = collect.toNanos();
    this.end = System.nanoTime() + longest.toNanos();
    this.nextHeartbeat = System.nanoTime() + HEARTBEAT.toNanos();
  }

  /// @param hasNews whether the response has an event
  boolean goesOn(boolean hasNews) {
    if (hasNews && !collecting) {
      collecting = true;
      end = Math.min(end, System.nanoTime() + collectNanos);
    }
    return remaining(end) > 0;
  }

  /// @param isBehind whether there are events that could not be read yet
  void pause(ChangeSignal.Watch watch, boolean isBehind) {
    Duration most =
        Duration.ofNanos(Math.max(0, Math.min(remaining(end), remaining(nextHeartbeat))));
    Duration usual = isBehind ? HALF_VISIBLE : untilNext();
    boolean _ = watch.await(Collections.min(List.of(most, usual)));
  }

  /// Whether a heartbeat is due; true once for each.
  boolean isHeartbeatDue() {
    boolean isDue = remaining(nextHeartbeat) <= 0;
    if (isDue) {
      nextHeartbeat += HEARTBEAT.toNanos();
    }
    return isDue;
  }

  private Duration untilNext() {
    return isSignalled ? HEARTBEAT : polls++ < SOON_TIMES ? SOON : LATER;
  }

  private static long remaining(long until) {
    return until - System.nanoTime();
  }
}
