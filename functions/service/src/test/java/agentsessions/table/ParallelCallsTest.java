package agentsessions.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// A call beside another one is over when that is.
class ParallelCallsTest {
  private final ParallelCalls calls = new ParallelCalls();

  @Test
  void oneIsUnderWayWhileTheOtherIs() {
    CyclicBarrier both = new CyclicBarrier(2);
    assertEquals("other", calls.beside(() -> meet(both), () -> meet(both)));
  }

  @Test
  void theOneHasTheOthersDeadline() {
    assertThrows(
        Unavailable.class,
        () ->
            RetryDeadline.run(
                Duration.ZERO,
                () -> calls.beside(() -> RetryDeadline.check("the one"), () -> "other")));
  }

  @Test
  void theErrorOfTheOneIsThrownAsItIs() {
    Unavailable gone = new Unavailable("the one", new TimeoutException());
    assertSame(
        gone,
        assertThrows(
            Unavailable.class,
            () ->
                calls.beside(
                    () -> {
                      throw gone;
                    },
                    () -> "other")));
  }

  @Test
  void theErrorOfTheOtherWaitsForTheOne() {
    CyclicBarrier both = new CyclicBarrier(2);
    AtomicBoolean done = new AtomicBoolean();
    assertThrows(
        Unavailable.class,
        () ->
            calls.beside(
                () -> {
                  String _ = meet(both);
                  done.set(true);
                },
                () -> {
                  String _ = meet(both);
                  throw new Unavailable("the other", new TimeoutException());
                }));
    assertTrue(done.get());
  }

  private static String meet(CyclicBarrier both) {
    try {
      int _ = both.await(20, TimeUnit.SECONDS);
      return "other";
    } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
      throw new AssertionError(alone);
    }
  }
}
