package agentsessions.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Faults of AWS are normal: nothing is done twice, and nobody sees an error of ours while there is
/// time to try again.
@Tag("chaos")
class FaultsTest {
  private static final int MORE_THAN_THE_SDK_TRIES = 4;

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.IMPATIENT.rig();
  }

  @Test
  void everyCallSurvivesEveryFault() throws Exception {
    Set<Fault> quick = EnumSet.of(Fault.CONFLICT, Fault.THROTTLED, Fault.REFUSED, Fault.LEFT_OVER);
    Set<Fault> lost = EnumSet.of(Fault.DONE_AND_UNHEARD);
    Faults faults =
        new Faults(rig)
            .meet(Experiment.ofClients(), quick, 1)
            .meet(Experiment.ofTurns(), quick, 1)
            .meet(WorkExperiments.all(), quick, 1)
            .meet(Experiment.ofClients(), lost, MORE_THAN_THE_SDK_TRIES)
            .meet(Experiment.ofTurns(), lost, MORE_THAN_THE_SDK_TRIES)
            .meet(WorkExperiments.all(), lost, MORE_THAN_THE_SDK_TRIES);
    System.out.println(faults.figures());
    assertEquals(List.of(), faults.failures());
  }

  @Test
  void aTimeOutAfterTheCommitChangesNothing() throws Exception {
    Faults faults =
        new Faults(rig).meet(Experiment.ofChanges(), EnumSet.of(Fault.DONE_AND_TIMED_OUT), 1);
    System.out.println(faults.figures());
    assertEquals(List.of(), faults.failures());
  }

  @Test
  void theSweepSurvivesEveryFault() throws Exception {
    rig.letSweep();
    Faults faults =
        new Faults(rig)
            .meetOneByOne(
                Experiment.ofSweeps(), EnumSet.of(Fault.THROTTLED, Fault.DONE_AND_UNHEARD), 1);
    System.out.println(faults.figures());
    assertEquals(List.of(), faults.failures());
  }

  /// The gateway would give up after 29 seconds.
  @Test
  void whenTheTimeIsUpTheAnswerIsToTryAgain() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Void>> all = new ArrayList<>();
      for (Fault fault : Fault.values()) {
        all.add(() -> lasting(fault));
      }
      for (Future<Void> done : threads.invokeAll(all)) {
        done.get();
      }
    }
  }

  private Void lasting(Fault fault) throws Exception {
    Conversation talk = new Conversation(rig, 1);
    talk.create("one");
    Instant start = Instant.now();
    rig.wire()
        .rule(
            talk.workspace(),
            (call, onward) ->
                fault.concerns(call)
                    ? fault.reply(call, () -> rig.still(call, onward))
                    : rig.still(call, onward));
    Answer answer = talk.send("two", "Idempotency-Key", "k");
    rig.wire().forget(talk.workspace());
    assertEquals(503, answer.status(), fault + " " + answer.body());
    assertTrue(answer.headers().firstValue("Retry-After").isPresent());
    Duration took = Duration.between(start, Instant.now());
    assertTrue(took.compareTo(Duration.ofSeconds(27)) < 0, fault + " " + took);
    talk.say("two", "Idempotency-Key", "k");
    assertEquals(List.of("user: one", "user: two"), talk.history(), fault::toString);
    return null;
  }
}
