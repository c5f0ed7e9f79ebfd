package agentsessions.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One read serves all who ask for the same, and nobody fails by another's failure.
@Timeout(60)
class SharedReadsTest {
  private final SharedReads<Integer> shared = new SharedReads<>();
  private final AtomicInteger reads = new AtomicInteger();

  @Test
  void whoAsksMeanwhileOrLaterGetsTheFirstOnesResult() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Integer> result = new CompletableFuture<>();
    CompletableFuture<Integer> first =
        ask(() -> {
          begun.countDown();
          return result.join();
        });
    begun.await();
    List<CompletableFuture<Integer>> others =
        Stream.generate(() -> ask(reads::incrementAndGet)).limit(10).toList();
    result.complete(reads.incrementAndGet());
    assertEquals(1, first.join());
    others.forEach(other -> assertEquals(1, other.join()));
    assertEquals(1, once("what"));
  }

  @Test
  void differentQuestionsAreReadApart() {
    assertEquals(1, once("what"));
    assertEquals(2, once("other"));
    assertEquals(1, once("what"));
  }

  @Test
  void whatDoesNotLastIsReadAgain() {
    assertEquals(1, shared.once("what", reads::incrementAndGet, _ -> false));
    assertEquals(2, once("what"));
  }

  @Test
  void anothersFailureIsNotShared() {
    Supplier<Integer> failing =
        () -> {
          throw new IllegalStateException("mine");
        };
    assertThrows(IllegalStateException.class, () -> shared.once("what", failing, _ -> true));
    assertEquals(1, once("what"));
  }

  @Test
  void onlyTheLastResultsAreKept() {
    for (int what = 0; what < 200; what++) {
      once(what);
    }
    assertEquals(200, once(199));
    assertEquals(201, once(0));
  }

  private CompletableFuture<Integer> ask(Supplier<Integer> read) {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.complete(shared.once("what", read, _ -> true)));
    return answer;
  }

  private int once(Object what) {
    return shared.once(what, reads::incrementAndGet, _ -> true);
  }
}
