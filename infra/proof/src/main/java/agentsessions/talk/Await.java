package agentsessions.talk;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// How the proof waits for what must come: it asks at once and then at a steady pace, in the thread
/// that waits. What has not come within the limit fails the test, with the last answer.
public final class Await {
  private Await() {}

  /// A wait that is yet to be told what to ask.
  ///
  /// @param what is waited for, for the message
  public static ConditionFactory await(String what, Duration limit, Duration pace) {
    // What goes wrong in other threads is often meant to: services are killed while they answer.
    return Awaitility.await(what)
        .dontCatchUncaughtExceptions()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(pace)
        .atMost(limit);
  }
}
