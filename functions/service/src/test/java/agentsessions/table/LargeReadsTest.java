package agentsessions.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// As many requests as there are permits read much at once; one that reads little never waits.
@Execution(ExecutionMode.SAME_THREAD)
class LargeReadsTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void oneMoreThanThereArePlacesWaitsUntilAnotherIsAnswered() throws Exception {
    CountDownLatch seated = new CountDownLatch(LargeReads.PLACES);
    CountDownLatch answered = new CountDownLatch(1);
    try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < LargeReads.PLACES; i++) {
        Future<?> _ = requests.submit(() -> LargeReads.within(() -> held(seated, answered)));
      }
      seated.await();
      assertEquals("little", LargeReads.within(LargeReadsTest::little));
      assertThrows(Unavailable.class, () -> LargeReads.within(() -> much(SHORT)));
      answered.countDown();
      assertEquals("much", LargeReads.within(() -> much(LONG)));
    }
  }

  @Test
  void whoForgetsWhatItReadHasNoPlace() {
    assertEquals(
        "much",
        LargeReads.within(() -> {
          assertEquals("much", much(LONG));
          LargeReads.forget();
          return muchAtOnce(LargeReads.PLACES);
        }));
  }

  private static String held(CountDownLatch seated, CountDownLatch answered)
      throws InterruptedException {
    String read = much(LONG);
    seated.countDown();
    answered.await();
    return read;
  }

  /// Each within the one before.
  private static String muchAtOnce(int requests) {
    return LargeReads.within(() -> {
      String read = much(LONG);
      return requests == 1 ? read : muchAtOnce(requests - 1);
    });
  }

  private static String little() {
    LargeReads.count(LargeReads.FREE_BYTES);
    LargeReads.expect(0, SHORT);
    return "little";
  }

  private static String much(Duration patience) {
    LargeReads.count(LargeReads.FREE_BYTES);
    LargeReads.expect(1, patience);
    return "much";
  }
}
