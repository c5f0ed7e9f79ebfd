package agentsessions.local;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/// Asks again and again until the answer is the one awaited, for a minute at most.
public final class Eventually {
  private Eventually() {}

  public static <T> T eventually(Callable<T> question, Predicate<T> awaited) {
    return eventually(Duration.ofMillis(10), question, awaited);
  }

  /// The same with a `pause` before it asks again: a key has 100 requests a minute.
  public static <T> T eventually(Duration pause, Callable<T> question, Predicate<T> awaited) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(pause)
        .until(question, awaited);
  }
}
