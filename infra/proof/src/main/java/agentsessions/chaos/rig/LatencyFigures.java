package agentsessions.chaos.rig;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The latencies of turns and polls in a run, with their percentiles.
public final class LatencyFigures {
  private final List<Long> polls = Collections.synchronizedList(new ArrayList<>());
  private Poll slowest = new Poll(0, "none");
  private final List<Long> turns = Collections.synchronizedList(new ArrayList<>());

  /// Adds a poll.
  ///
  /// @param whose describes the poll, in case it is the slowest
  public synchronized void poll(long nanos, String whose) {
    polls.add(nanos);
    if (nanos > slowest.nanos()) {
      slowest = new Poll(nanos, whose);
    }
  }

  private record Poll(long nanos, String whose) {}

  /// The latency of the slowest poll, and its description.
  public synchronized String slowest() {
    return "the slowest poll: %.0f ms, %s".formatted(slowest.nanos() / 1e6, slowest.whose());
  }

  public void turn(long nanos) {
    turns.add(nanos);
  }

  /// A percentile of the polls, in milliseconds.
  public double percentile(int part) {
    return percentile(polls, part);
  }

  /// A percentile of times in nanoseconds, in milliseconds; 0 if there are none.
  public static double percentile(List<Long> all, int part) {
    List<Long> sorted = all.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) * part / 100) / 1e6;
  }

  @Override
  public String toString() {
    return "%d turns, p50 %.1f s, p99 %.1f s; %d polls, p50 %.0f ms, p99 %.0f ms"
        .formatted(
            turns.size(),
            percentile(turns, 50) / 1000,
            percentile(turns, 99) / 1000,
            polls.size(),
            percentile(50),
            percentile(99));
  }
}
