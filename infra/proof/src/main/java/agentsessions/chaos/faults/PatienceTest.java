package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.talk.ApiResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The retry budget of a request under a fault that does not end: retries for the configured time,
/// then 503 with `Retry-After`, before the gateway gives up.
@Tag("chaos")
class PatienceTest {
  /// The time-out of AWS's gateway, in seconds.
  private static final int GATEWAY = 29;

  private static final int SHORT = 6;

  @TempDir Path temp;

  @Test
  void whenTheTimeIsUpTheAnswerIsToTryAgain() throws Exception {
    lasting(SHORT);
  }

  @Test
  @Tag("deep")
  void whenTheUsualTimeIsUpTheAnswerIsToTryAgain() throws Exception {
    lasting(Rig.REQUEST_SECONDS);
  }

  private void lasting(int seconds) throws Exception {
    try (Rig rig = Rig.impatient(temp, seconds);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Void>> all = new ArrayList<>();
      for (Fault fault : Fault.values()) {
        all.add(() -> lasting(rig, seconds, fault));
      }
      for (Future<Void> done : threads.invokeAll(all)) {
        done.get();
      }
    }
  }

  private static Void lasting(Rig rig, int seconds, Fault fault) throws Exception {
    RigSession talk = new RigSession(rig, 1);
    talk.create("one");
    Queue<Long> tries = new ConcurrentLinkedQueue<>();
    rig.wire()
        .rule(
            talk.workspace(),
            (call, onward) -> {
              if (!fault.concerns(call)) {
                return rig.still(call, onward);
              }
              tries.add(System.nanoTime());
              return fault.reply(call, () -> rig.still(call, onward));
            });
    ApiResponse answer = talk.send("two", "Idempotency-Key", "k");
    long first = tries.element();
    long took = System.nanoTime() - first;
    int tried = tries.size();
    rig.wire().forget(talk.workspace());
    assertEquals(503, answer.status(), fault + " " + answer.body());
    assertTrue(answer.headers().firstValue("Retry-After").isPresent());
    assertTrue(took < TimeUnit.SECONDS.toNanos(GATEWAY), fault + ": the gateway had given up");
    assertTrue(tried > 1, fault + " was tried once only in " + seconds + " seconds");
    talk.say("two", "Idempotency-Key", "k");
    assertEquals(List.of("user: one", "user: two"), talk.history(), fault::toString);
    return null;
  }
}
