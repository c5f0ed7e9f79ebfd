package agentsessions.local.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of run steps that wait for two places.
@Timeout(120)
class QueuedStepsTest {
  private final RunnerPlaces places = new RunnerPlaces(2, RunnerPlaces.TIMEOUT);
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

  @Test
  void theTurnOfAnotherWorkspaceIsNextHoweverManyWaitBeforeIt() throws Exception {
    QueuedSteps steps = new QueuedSteps(this::launch, places);
    for (int i = 1; i <= 6; i++) {
      arrive(steps, "a", "a" + i, 1);
    }
    List<String> running = List.of(begin(), begin());
    arrive(steps, "b", "b1", 1);
    places.end();
    assertEquals("b1-1", begin(), () -> "after " + running);
    List<String> others = new ArrayList<>();
    for (int i = 3; i <= 6; i++) {
      places.end();
      others.add(begin());
    }
    assertEquals(List.of("a3-1", "a4-1", "a5-1", "a6-1"), others);
  }

  @Test
  void aLaterDispatchWaitsInsteadOfTheOneBefore() throws Exception {
    QueuedSteps steps = new QueuedSteps(this::launch, places);
    arrive(steps, "a", "a1", 1);
    arrive(steps, "a", "a2", 1);
    Thread waits = arrive(steps, "a", "a3", 1);
    arrive(steps, "a", "a3", 2);
    waits.join();
    places.end();
    assertEquals(List.of("a1-1", "a2-1", "a3-2"), List.of(begin(), begin(), begin()));
  }

  @Test
  void aLaterTurnOfTheSessionWaitsInsteadOfTheOneBefore() throws Exception {
    QueuedSteps steps = new QueuedSteps(this::launch, places);
    arrive(steps, "a", "a1", 1);
    arrive(steps, "a", "a2", 1);
    Thread waits = arrive(steps, run("a", "a3", "interrupted", 1));
    arrive(steps, run("a", "a3", "later", 1));
    waits.join();
    places.end();
    assertEquals(List.of("a1-1", "a2-1", "later-1"), List.of(begin(), begin(), begin()));
  }

  @Test
  void whoIsNotHeardOfForTooLongLeavesTheQueueAndTakesNoPlace() throws Exception {
    RunnerPlaces impatient = new RunnerPlaces(0, Duration.ofMillis(1));
    QueuedSteps steps = new QueuedSteps(payload -> payload, impatient);
    byte[] gone = run("a", "a1", 1);
    assertEquals("Queue.Left", assertThrows(StepError.class, () -> steps.invoke(gone)).error());
    impatient.end();
    byte[] next = run("a", "a2", 1);
    assertEquals(next, steps.invoke(next));
  }

  @Test
  void aStepThatLaunchesNoRunnerGivesItsPlaceBack() throws Exception {
    QueuedSteps ending = new QueuedSteps(payload -> payload, places);
    QueuedSteps failing = new QueuedSteps(QueuedStepsTest::fail, places);
    for (int i = 0; i < 3; i++) {
      ending.invoke(run("a", "a" + i, 1));
      assertThrows(StepError.class, () -> failing.invoke(run("a", "a", 1)));
    }
  }

  @Test
  void otherStepsDoNotWait() throws Exception {
    RunnerPlaces none = new RunnerPlaces(0, Duration.ZERO);
    byte[] fail = "{\"step\": \"fail\"}".getBytes(StandardCharsets.UTF_8);
    assertEquals(fail, new QueuedSteps(payload -> payload, none).invoke(fail));
  }

  /// The step of a turn is in the queue, or past it, once its thread waits or has ended.
  private static Thread arrive(QueuedSteps steps, String workspace, String turn, int dispatch) {
    return arrive(steps, run(workspace, turn, dispatch));
  }

  private static Thread arrive(QueuedSteps steps, byte[] run) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                steps.invoke(run);
              } catch (StepError | InterruptedException superseded) {
                Thread.currentThread().interrupt();
              }
            });
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private byte[] launch(byte[] payload) {
    String execution =
        new String(payload, StandardCharsets.UTF_8)
            .replaceAll(".*\"thread_id\": \"(\\w+)\", \"dispatch\": (\\d+).*", "$1-$2");
    places.launch(execution);
    begun.add(execution);
    return payload;
  }

  private String begin() throws InterruptedException {
    return String.valueOf(begun.poll(60, TimeUnit.SECONDS));
  }

  private static byte[] fail(byte[] payload) {
    throw new StepError("Odd", "it failed");
  }

  /// The only turn of a session, which has its name.
  private static byte[] run(String workspace, String turn, int dispatch) {
    return run(workspace, turn, turn, dispatch);
  }

  private static byte[] run(String workspace, String session, String turn, int dispatch) {
    return """
    {"step": "run", "workspace": "%s", "session_id": "%s", "thread_id": "%s", "dispatch": %d}\
    """
        .formatted(workspace, session, turn, dispatch)
        .getBytes(StandardCharsets.UTF_8);
  }
}
