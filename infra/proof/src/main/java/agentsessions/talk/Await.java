package agentsessions.talk;

import java.time.Duration;
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
}
