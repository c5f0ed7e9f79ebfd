package agentsessions.local;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/// Polling for tests: repeats a request until its result is the expected one, for a minute at most.
public final class Eventually {
  private Eventually() {}

  public static <T> T eventually(Callable<T> question, Predicate<T> awaited) {
    return eventually(Duration.ofMillis(10), question, awaited);
  }

  /// The same with a `pause` between the requests, since a key is limited to 100 a minute.
  public static <T> T eventually(Duration pause, Callable<T> question, Predicate<T> awaited) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(pause)
        .until(question, awaited);
  }
}
