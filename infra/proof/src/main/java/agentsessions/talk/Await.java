package agentsessions.talk;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// The one way of waiting in the proof: it asks at once and then at fixed intervals, in the waiting
/// thread. If the condition does not hold within the limit the test fails with the last answer.
public final class Await {
  private Await() {}

  /// A wait without a question yet.
  ///
  /// @param what the expected event, for the message
  public static ConditionFactory await(String what, Duration limit, Duration pace) {
    // Failures in other threads are often part of the test: services are killed while they answer.
    return Awaitility.await(what)
        .dontCatchUncaughtExceptions()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(pace)
        .atMost(limit);
  }

  /// Waits until this much is left of the day in UTC, for a test that counts by days.
  public static void leftOfTheDay(Duration time) {
    await("another day", time.plusMinutes(1), Duration.ofSeconds(1))
        .until(() -> day(Instant.now()).equals(day(Instant.now().plus(time))));
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }
}
