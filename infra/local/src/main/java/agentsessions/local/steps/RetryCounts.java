package agentsessions.local.steps;

import agentsessions.local.steps.State.Retrier;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The retries of a task so far. Each retry rule has a count of its own; the first rule that
/// matches an error decides.
final class RetryCounts {
  private final Map<Retrier, Integer> tries = new HashMap<>();

  int count() {
    return tries.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// The delay before the next try; empty if there is none.
  Optional<Duration> next(List<Retrier> retriers, StepError error) {
    return retriers.stream()
        .filter(retrier -> retrier.matches(error))
        .findFirst()
        .filter(retrier -> tries.getOrDefault(retrier, 0) < retrier.maxAttempts())
        .map(retrier -> retrier.delay(tries.merge(retrier, 1, Integer::sum) - 1));
  }
}
