package agentsessions.local.steps;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.steps.Description.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The deployed file, run with scripted functions.
class TurnMachineTest {
  private static final String INPUT =
      "{\"workspace\":\"w\",\"session_id\":\"s\",\"thread_id\":\"t\",\"dispatch\":1}";
  private static final String RUN = "{\"next\":\"run\",\"ticket\":\"secret\",\"url\":\"http://x\"}";

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final Deque<Object> turnSteps = new ArrayDeque<>();
  private final Deque<Object> runner = new ArrayDeque<>();
  private StepFunctions steps = machine();

  private StepFunctions machine() {
    String text = read(Path.of("../turn.asl.yaml"));
    StateMachine machine =
        StateMachine.read(text, Map.of("TurnSteps", "TurnSteps", "Runner", "Runner"));
    return new StepFunctions(
        Arns.TURN,
        machine,
        Map.of(
            "TurnSteps",
            payload -> next("TurnSteps", turnSteps, payload),
            "Runner",
            payload -> next("Runner", runner, payload)),
        Clock.systemUTC());
  }

  @BeforeEach
  void fresh() {
    calls.clear();
  }

  @AfterEach
  void close() {
    steps.close();
  }

  @Test
  void beginsAndRunsATurn() throws Exception {
    turnSteps.add(RUN);
    runner.add("{}");
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(
        List.of(
            "TurnSteps"
                + " {\"workspace\":\"w\",\"session_id\":\"s\",\"thread_id\":\"t\",\"dispatch\":1,\"step\":\"begin\"}",
            "Runner"
                + " {\"ticket\":\"secret\",\"url\":\"http://x\",\"attempt\":0,\"session_id\":\"s\"}"),
        calls);
  }

  @Test
  void endsQuietlyWhenTheTurnIsNotLive() throws Exception {
    turnSteps.add("{\"next\":\"end\"}");
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(1, calls.size());
  }

  @Test
  void asksAgainWhileTheSandboxIsBusy() throws Exception {
    turnSteps.addAll(List.of("{\"next\":\"wait\"}", RUN));
    runner.add("{}");
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(3, calls.size());
  }

  @Test
  void triesAgainWhatHasNotStartedAndCountsTheAttempts() throws Exception {
    turnSteps.add(RUN);
    runner.addAll(List.of(new StepError("Lambda.TooManyRequestsException", "busy"), "{}"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertTrue(calls.getLast().contains("\"attempt\":1,"), calls.toString());
  }

  @Test
  void tellsFailWhenThereIsNoRoomForARunner() throws Exception {
    turnSteps.addAll(List.of(RUN, "{}"));
    StepError busy = new StepError("Lambda.TooManyRequestsException", "busy");
    runner.addAll(List.of(busy, busy, busy));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertTrue(
        calls.getLast().contains("\"error\":\"Lambda.TooManyRequestsException\""),
        calls.toString());
    assertEquals(5, calls.size());
  }

  @Test
  void failsATurnWhoseRunnerDied() throws Exception {
    turnSteps.addAll(List.of(RUN, "{}"));
    runner.add(new StepError("Runtime.ExitError", "gone"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertTrue(
        calls.getLast().contains("\"step\":\"fail\",\"error\":\"Runtime.ExitError\""),
        calls.toString());
    assertEquals(3, calls.size());
  }

  @Test
  void stopEndsAnExecutionButNotItsFunction() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    turnSteps.add(RUN);
    runner.add(
        (Lambda)
            payload -> {
              running.countDown();
              release.await();
              calls.add("let finish");
              return payload;
            });
    assertTrue(steps.start("t-1", INPUT).isPresent());
    running.await();
    assertEquals(
        Status.ABORTED, steps.stop("t-1", "Interrupted", "new message").orElseThrow().status());
    release.countDown();
    eventually(() -> calls.getLast(), "let finish"::equals);
    assertEquals(Status.ABORTED, steps.describe("t-1").orElseThrow().status());
  }

  @Test
  void aNameIsTheSameExecutionWhileItRunsAndTakenAfterwards() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    turnSteps.add(
        (Lambda)
            payload -> {
              release.await();
              return "{\"next\":\"end\"}".getBytes(UTF_8);
            });
    Description first = steps.start("t-1", INPUT).orElseThrow();
    assertEquals(first, steps.start("t-1", INPUT).orElseThrow());
    assertTrue(steps.start("t-1", "{}").isEmpty());
    release.countDown();
    eventually(() -> steps.describe("t-1").orElseThrow().status(), Status.SUCCEEDED::equals);
    assertTrue(steps.start("t-1", INPUT).isEmpty());
    assertEquals(1, calls.size());
  }

  private Description ended() throws Exception {
    assertEquals(Status.RUNNING, steps.start("t-1", INPUT).orElseThrow().status());
    return eventually(
        () -> steps.describe("t-1").orElseThrow(), found -> found.status() != Status.RUNNING);
  }

  private byte[] next(String name, Deque<Object> script, byte[] payload)
      throws InterruptedException {
    calls.add(name + " " + new String(payload, UTF_8));
    return switch (script.removeFirst()) {
      case StepError error -> throw error;
      case Lambda lambda -> lambda.invoke(payload);
      case Object answer -> answer.toString().getBytes(UTF_8);
    };
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
