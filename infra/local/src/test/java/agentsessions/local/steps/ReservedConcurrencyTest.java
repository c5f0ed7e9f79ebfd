package agentsessions.local.steps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Tests of reserved concurrency.
class ReservedConcurrencyTest {
  private static final byte[] NOTHING = {};

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void oneMoreThanMayRunIsRefusedAsLambdaDoes() throws Exception {
    ReservedConcurrency function = new ReservedConcurrency(1, this::work);
    FutureTask<byte[]> first = new FutureTask<>(() -> function.invoke(NOTHING));
    Thread.ofVirtual().start(first);
    begun.await();
    StepError refused = assertThrows(StepError.class, () -> function.invoke(NOTHING));
    assertEquals("Lambda.TooManyRequestsException", refused.error());
    end.countDown();
    assertArrayEquals(NOTHING, first.get());
    assertArrayEquals(NOTHING, function.invoke(NOTHING));
  }

  @Test
  void whatHasFailedMakesRoom() {
    ReservedConcurrency function =
        new ReservedConcurrency(
            1,
            _ -> {
              throw new StepError("Odd", "it failed");
            });
    for (int i = 0; i < 2; i++) {
      assertEquals("Odd", assertThrows(StepError.class, () -> function.invoke(NOTHING)).error());
    }
  }

  private byte[] work(byte[] payload) throws InterruptedException {
    begun.countDown();
    end.await();
    return payload;
  }
}
