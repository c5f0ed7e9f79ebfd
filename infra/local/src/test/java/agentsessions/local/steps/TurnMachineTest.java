package agentsessions.local.steps;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.steps.ExecutionDescription.Status;
import agentsessions.testing.SettableClock;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the deployed state machine of turns, with scripted functions.
class TurnMachineTest {
  private static final String INPUT =
      "{\"workspace\":\"w\",\"session_id\":\"s\",\"thread_id\":\"t\",\"dispatch\":1}";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BUSY = "Lambda.TooManyRequestsException";

  /// The input of each call of `TurnSteps`, without the token.
  private final List<String> calls = new CopyOnWriteArrayList<>();

  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final Deque<Object> turnSteps = new ArrayDeque<>();
  private StepFunctions steps = machine(text -> text);

  private StepFunctions machine(UnaryOperator<String> change) {
    return machine(change, this::next, Clock.systemUTC());
  }

  private static StepFunctions machine(UnaryOperator<String> change, Lambda function, Clock clock) {
    String text = change.apply(read(Path.of("../turn.asl.yaml")));
    StateMachine machine = StateMachine.read(text, Map.of("TurnSteps", "TurnSteps"));
    return new StepFunctions(StateMachineArns.TURN, machine, Map.of("TurnSteps", function), clock);
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
  void runsATurnUntilItsTokenIsBrought() throws Exception {
    turnSteps.add("{}");
    start();
    String token = token(0);
    assertTrue(steps.heartbeat(token));
    assertEquals(Status.RUNNING, steps.describe("t-1").orElseThrow().status());
    assertTrue(steps.succeed(token, "{}"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(List.of(run(0)), calls);
  }

  @Test
  void aTokenMayBeBroughtBeforeTheStepHasAnswered() throws Exception {
    turnSteps.add(
        (Lambda)
            _ -> {
              assertTrue(steps.succeed(tokens.getLast(), "{}"));
              return "{}".getBytes(UTF_8);
            });
    start();
    assertEquals(Status.SUCCEEDED, ended().status());
  }

  @Test
  void aTokenThatWasUsedIsDead() throws Exception {
    turnSteps.add("{}");
    start();
    String token = token(0);
    assertTrue(steps.succeed(token, "{}"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertFalse(steps.heartbeat(token));
    assertFalse(steps.succeed(token, "{}"));
    assertFalse(steps.fail(token, new StepError("Late", "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "agentsessions.SandboxBusy",
        "agentsessions.runner.turn.OtherSession",
        "Lambda.ServiceException"
      })
  void triesAgainWithAnotherTokenAndCountsTheAttempts(String error) throws Exception {
    turnSteps.addAll(List.of("{}", "{}"));
    start();
    assertTrue(steps.fail(token(0), new StepError(error, "")));
    String second = token(1);
    assertNotEquals(tokens.getFirst(), second);
    assertFalse(steps.succeed(tokens.getFirst(), "{}"));
    assertTrue(steps.succeed(second, "{}"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(List.of(run(0), run(1)), calls);
  }

  /// Without a pause, and with a count of attempts that goes on.
  @Test
  void runsATurnAtOnceWhenItsSandboxIsFree() throws Exception {
    turnSteps.addAll(List.of("{}", "{}", "{}"));
    start();
    assertTrue(steps.fail(token(0), new StepError("agentsessions.SandboxBusy", "")));
    assertTrue(steps.fail(token(1), new StepError("agentsessions.SandboxFree", "")));
    assertTrue(steps.succeed(token(2), "{}"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(List.of(run(0), run(1), run(2)), calls);
  }

  @Test
  void tellsFailWhenThereIsNoRoomForARunner() throws Exception {
    StepError busy = new StepError(BUSY, "busy");
    turnSteps.addAll(List.of(busy, busy, busy, "{}"));
    start();
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(List.of(run(0), run(1), run(2), fail(BUSY)), calls);
  }

  @Test
  void failsATurnWhoseRunnerDied() throws Exception {
    turnSteps.addAll(List.of("{}", "{}"));
    start();
    token(0);
    steps.failTask("t-1", new StepError("Runner.Ended", "gone"));
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(List.of(run(0), fail("Runner.Ended")), calls);
  }

  @Test
  void failsATurnOfWhichNothingIsHeard() throws Exception {
    steps.close();
    steps = machine(text -> text.replace("HeartbeatSeconds: 900", "HeartbeatSeconds: 1"));
    turnSteps.addAll(List.of("{}", "{}"));
    start();
    token(0);
    assertEquals(Status.SUCCEEDED, ended().status());
    assertEquals(List.of(run(0), fail("States.Timeout")), calls);
  }

  @Test
  void whatWaitsWhenEverythingStopsIsFailedAsStopped() throws Exception {
    turnSteps.addAll(List.of("{}", "{}"));
    start();
    token(0);
    steps.close();
    assertEquals(List.of(run(0), fail("Service.Stopped")), calls);
  }

  @Test
  void stopEndsAnExecutionAndItsToken() throws Exception {
    turnSteps.add("{}");
    start();
    String token = token(0);
    assertEquals(
        Status.ABORTED, steps.stop("t-1", "Interrupted", "new message").orElseThrow().status());
    eventually(() -> steps.succeed(token, "{}"), alive -> !alive);
    assertEquals(Status.ABORTED, steps.describe("t-1").orElseThrow().status());
  }

  @Test
  void aNameIsTheSameExecutionWhileItRunsAndTakenAfterwards() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    turnSteps.add(
        (Lambda)
            payload -> {
              release.await();
              steps.succeed(tokens.getLast(), "{}");
              return "{}".getBytes(UTF_8);
            });
    ExecutionDescription first = steps.start("t-1", INPUT).orElseThrow();
    assertEquals(first, steps.start("t-1", INPUT).orElseThrow());
    assertTrue(steps.start("t-1", "{}").isEmpty());
    release.countDown();
    eventually(() -> steps.describe("t-1").orElseThrow().status(), Status.SUCCEEDED::equals);
    assertTrue(steps.start("t-1", INPUT).isEmpty());
    assertEquals(1, calls.size());
  }

  @Test
  void anEndedExecutionIsKeptForAnHour() throws Exception {
    SettableClock clock = new SettableClock();
    steps.close();
    steps = machine(text -> text, this::succeed, clock);
    start();
    assertEquals(Status.SUCCEEDED, ended().status());
    clock.pass(Duration.ofHours(1));
    assertTrue(steps.start("t-1", INPUT).isEmpty());
    clock.pass(Duration.ofMillis(1));
    assertTrue(steps.describe("t-1").isEmpty());
    assertTrue(steps.stop("t-1", null, null).isEmpty());
    start();
  }

  /// All of an hour of full load would fill the memory.
  @Test
  void onlyTheLastTenThousandEndedExecutionsAreKept() throws Exception {
    steps.close();
    steps = machine(text -> text, this::succeed, new SettableClock());
    start();
    assertEquals(Status.SUCCEEDED, ended().status());
    for (int i = 1; i <= 10_000; i++) {
      assertTrue(steps.start("more-" + i, INPUT).isPresent());
    }
    assertTrue(eventually(() -> steps.describe("t-1").isEmpty(), gone -> gone));
    assertTrue(steps.start("more-5000", INPUT).isEmpty());
    start();
  }

  private byte[] succeed(byte[] payload) {
    assertTrue(steps.succeed(read(payload).get("token").asText(), "{}"));
    return "{}".getBytes(UTF_8);
  }

  private void start() {
    assertEquals(Status.RUNNING, steps.start("t-1", INPUT).orElseThrow().status());
  }

  private ExecutionDescription ended() throws Exception {
    return eventually(
        () -> steps.describe("t-1").orElseThrow(), found -> found.status() != Status.RUNNING);
  }

  private String token(int attempt) throws Exception {
    return eventually(() -> List.copyOf(tokens), seen -> seen.size() > attempt).get(attempt);
  }

  private static String run(int attempt) {
    return INPUT.replace("}", ",\"step\":\"run\",\"attempt\":" + attempt + "}");
  }

  private static String fail(String error) {
    return INPUT.replace("}", ",\"step\":\"fail\",\"error\":\"" + error + "\"}");
  }

  private byte[] next(byte[] payload) throws InterruptedException {
    ObjectNode event = read(payload);
    JsonNode token = event.remove("token");
    calls.add(event.toString());
    if (token != null) {
      tokens.add(token.asText());
    }
    return switch (turnSteps.removeFirst()) {
      case StepError error -> throw error;
      case Lambda lambda -> lambda.invoke(payload);
      case Object answer -> answer.toString().getBytes(UTF_8);
    };
  }

  private static ObjectNode read(byte[] json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
