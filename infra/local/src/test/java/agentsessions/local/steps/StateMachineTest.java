package agentsessions.local.steps;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.steps.ExecutionDescription.Status;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the States Language: the effects of states, and the refusals when a file is loaded.
class StateMachineTest {
  private static final String TASK =
      "Type: Task, Resource: 'arn:aws:states:::lambda:invoke', Arguments: {FunctionName: '${F}',"
          + " Payload: '{% $states.input %}'}";

  @Test
  void computesAndChooses() throws Exception {
    ExecutionDescription end =
        run(
            "A: {"
                + TASK
                + """
                , Output: {y: "{% $states.result.Payload.x + $states.input.x %}"}, Next: B}
                B:
                  Type: Choice
                  Choices:
                    - {Condition: "{% $states.input.y = 3 %}", Next: A}
                    - {Condition: "{% $states.input.y = 6 %}", Next: C}
                C: {Type: Succeed}
                """,
            "{\"x\":3}",
            payload -> payload);
    assertEquals("{\"y\":6}", end.output());
  }

  @Test
  void aChoiceWithoutAnAnswerFails() throws Exception {
    String choice = "A: {Type: Choice, Choices: [{Condition: '{% 1 = 2 %}', Next: A}]}";
    assertEquals("States.NoChoiceMatched", run(choice, "{}", payload -> payload).error());
  }

  @Test
  void aTimeOutIsNoFailedTaskAndCanBeCaught() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    String retry = "Retry: [{ErrorEquals: [States.TaskFailed], MaxAttempts: 9}]";
    String caught =
        "Catch: [{ErrorEquals: [States.Timeout], Next: B, Output: '{% $states.errorOutput.Error"
            + " %}'}]";
    ExecutionDescription end =
        run(
            "A: {"
                + TASK
                + ", TimeoutSeconds: 1, "
                + retry
                + ", "
                + caught
                + ", End: true}\nB: {Type: Succeed}",
            "{}",
            payload -> {
              never.await();
              return payload;
            });
    assertEquals("\"States.Timeout\"", end.output());
  }

  @Test
  void anErrorInAnOutputGoesToCatchOrFailsTheExecution() throws Exception {
    String broken = "Output: '{% $states.result.Payload.x.y() %}', End: true";
    String caught = "Catch: [{ErrorEquals: [States.ALL], Next: B}]";
    Lambda echo = payload -> payload;
    ExecutionDescription through =
        run("A: {" + TASK + ", " + caught + ", " + broken + "}\nB: {Type: Succeed}", "{}", echo);
    assertTrue(String.valueOf(through.output()).contains(StepError.QUERY), through.toString());
    assertEquals(StepError.QUERY, run("A: {" + TASK + ", " + broken + "}", "{}", echo).error());
  }

  @Test
  void over256KiBNothingIsCaught() throws Exception {
    String states =
        "A: {"
            + TASK
            + ", Catch: [{ErrorEquals: [States.ALL], Next: B}], End: true}\nB: {Type: Succeed}";
    byte[] large = ("\"" + "x".repeat(262_143) + "\"").getBytes(UTF_8);
    assertEquals(StepError.DATA_LIMIT, run(states, "{}", payload -> large).error());
  }

  @Test
  void theWholeMachineHasATimeLimit() throws Exception {
    ExecutionDescription end =
        ended(machine("A: {Type: Wait, Seconds: 600, End: true}", 1), "{}", payload -> payload);
    assertEquals(Status.TIMED_OUT, end.status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A: {Type: Map, End: true}                                                     | unknown Type Map
          A: {Type: Wait, Seconds: 1, Next: X}                                          | no state X
          A: {Type: Wait, Seconds: 1}                                                   | needs either Next or End
          A: {TASK, Parameters: {}, End: true}                                          | unknown Parameters
          A: {TASK, Output: '{% 1 + %}', End: true}                                     | not JSONata
          A: {Type: Pass, End: true}                                                    | unknown Type Pass
          A: {TASK, Assign: {n: 1}, End: true}                                          | unknown Assign
          A: {Type: Wait, Timestamp: x, End: true}                                      | Seconds is missing
          A: {Type: Choice, Choices: [{Variable: $.x, Next: A}]}                        | Condition is missing
          A: {Type: Choice, Choices: [{Condition: true, Next: A, X: 1}]}                | unknown X
          A: {Type: Task, Resource: 'arn:aws:states:::sqs:sendMessage', End: true}      | Resource must be
          A: {TASK, HeartbeatSeconds: 5, End: true}                                     | unknown HeartbeatSeconds
          A: {TASK, Retry: [{ErrorEquals: [X], Backoff: 1}], End: true}                 | unknown Backoff
          A: {TASK, Catch: [{ErrorEquals: [X], ResultPath: $.x, Next: A}], End: true}   | unknown ResultPath
          A: {TASK, Catch: [{ErrorEquals: [States.ALL], Next: A},{ErrorEquals: [X], Next: A}], End: true} | States.ALL must come last
          A: {TASK, Retry: [{ErrorEquals: [States.ALL, X]}], End: true}                 | only by itself
          A: {TASK, QueryLanguage: JSONPath, End: true}                                 | unknown QueryLanguage
          """)
  void refusesWhatItDoesNotKnow(String states, String reason) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> machine(states.replace("TASK", TASK)));
    assertTrue(String.valueOf(refusal.getMessage()).contains(reason), refusal.getMessage());
  }

  @Test
  void refusesOtherLanguagesFunctionsAndKeysSaidTwice() {
    Map<String, String> none = Map.of();
    String rest = "States: {A: {Type: Succeed}}, StartAt: A";
    assertThrows(IllegalArgumentException.class, () -> StateMachine.read("{" + rest + "}", none));
    assertThrows(
        IllegalArgumentException.class,
        () -> StateMachine.read("{QueryLanguage: JSONPath, " + rest + "}", none));
    assertThrows(
        IllegalArgumentException.class,
        () -> StateMachine.read("{QueryLanguage: JSONata, StartAt: A, " + rest + "}", none));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            StateMachine.read(
                "{QueryLanguage: JSONata, StartAt: A, States: {A: {" + TASK + ", End: true}}}",
                none));
  }

  private static StateMachine machine(String states) {
    return machine(states, 600);
  }

  private static StateMachine machine(String states, int timeoutSeconds) {
    String head = "QueryLanguage: JSONata\nStartAt: A\nTimeoutSeconds: " + timeoutSeconds;
    return StateMachine.read(head + "\nStates:\n" + states.indent(2), Map.of("F", "F"));
  }

  private static ExecutionDescription run(String states, String input, Lambda function)
      throws Exception {
    return ended(machine(states), input, function);
  }

  private static ExecutionDescription ended(StateMachine machine, String input, Lambda function)
      throws Exception {
    try (StepFunctions steps =
        new StepFunctions(
            StateMachineArns.TURN, machine, Map.of("F", function), Clock.systemUTC())) {
      assertTrue(steps.start("x", input).isPresent());
      return eventually(
          () -> steps.describe("x").orElseThrow(), found -> found.status() != Status.RUNNING);
    }
  }
}
