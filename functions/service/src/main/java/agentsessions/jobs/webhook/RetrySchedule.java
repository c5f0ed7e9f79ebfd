package agentsessions.jobs.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The retry schedule of webhooks: the delay after each failed attempt, with jitter.
final class RetrySchedule {
  private static final List<Duration> DELAYS =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  private static final Duration MOST_ASKED_FOR = Duration.ofHours(1);
  private static final double JITTER = 0.2;

  /// The delay after the `tries`-th failure in a row; empty: that was the last attempt.
  ///
  /// @param chance from 0 to 1, so that attempts that failed together are not repeated together
  /// @param retryAfter the delay that the receiver asked for, of which at most an hour is granted
  static Optional<Duration> after(int tries, double chance, Optional<Duration> retryAfter) {
    if (tries > DELAYS.size()) {
      return Optional.empty();
    }
    double factor = 1 - JITTER + 2 * JITTER * chance;
    Duration usual =
        Duration.ofMillis((long) (DELAYS.get(Math.max(1, tries) - 1).toMillis() * factor));
    return Optional.of(
        retryAfter
            .map(asked -> asked.compareTo(MOST_ASKED_FOR) > 0 ? MOST_ASKED_FOR : asked)
            .filter(asked -> asked.compareTo(usual) > 0)
            .orElse(usual));
  }

  /// The same for a webhook as a whole, which may fail any number of times.
  static Duration ofEndpoint(int failures, double chance, Optional<Duration> retryAfter) {
    return after(Math.min(failures, DELAYS.size()), chance, retryAfter).orElseThrow();
  }

  private RetrySchedule() {}
}
