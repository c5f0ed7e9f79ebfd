package agentsessions.local;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// Asks again and again until the answer is the one awaited, or 20 seconds have passed.
public final class Eventually {
  private Eventually() {}

  public static <T> T eventually(Callable<T> question, Predicate<T> awaited) throws Exception {
    Instant deadline = Instant.now().plusSeconds(20);
    while (true) {
      T answer = question.call();
      if (awaited.test(answer)) {
        return answer;
      }
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("still " + answer);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
