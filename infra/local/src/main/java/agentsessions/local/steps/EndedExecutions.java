package agentsessions.local.steps;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The last executions that have ended, in order of their ends: each can be described, and its name
/// stays taken, for an hour. (AWS: 90 days.)
///
/// Under full load it is less, since only so many are kept. A name that is used again after that
/// starts another execution, which finds by the table that its turn has moved on.
final class EndedExecutions {
  private static final Duration KEPT = Duration.ofHours(1);

  /// A few megabytes.
  private static final int MOST = 10_000;

  private final Clock clock;
  private final LinkedHashMap<String, ExecutionDescription> ended = new LinkedHashMap<>();

  EndedExecutions(Clock clock) {
    this.clock = clock;
  }

  synchronized void add(ExecutionDescription execution) {
    ended.putLast(execution.name(), execution);
    forget();
  }

  synchronized Optional<ExecutionDescription> find(String name) {
    forget();
    return Optional.ofNullable(ended.get(name));
  }

  private void forget() {
    Instant past = clock.instant().minus(KEPT);
    Map.Entry<String, ExecutionDescription> first = ended.firstEntry();
    while (first != null && (ended.size() > MOST || first.getValue().isOver(past))) {
      ended.pollFirstEntry();
      first = ended.firstEntry();
    }
  }
}
