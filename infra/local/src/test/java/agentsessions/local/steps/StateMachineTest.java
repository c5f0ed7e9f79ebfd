package agentsessions.local.steps;

import static agentsessions.local.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.steps.StepFunctions.Description;
import agentsessions.local.steps.StepFunctions.Status;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The language: what states do, and what is refused when a file is loaded.
class StateMachineTest {
  private static final String TASK =
      "Type: Task, Resource: 'arn:aws:states:::lambda:invoke', Arguments: {FunctionName: '${F}', Payload: '{% $states.input %}'}";

  @Test
  void computesAssignsAndChooses() throws Exception {
    Description end =
        run(
            """
            A: {Type: Pass, Assign: {n: 2, m: "{% $states.input.x %}"}, Output: {y: 1}, Next: B}
            B: {Type: Pass, Assign: {n: "{% $m %}", m: "{% $n %}"}, Next: C}
            C:
              Type: Choice
              Choices: [{Condition: "{% $n = 3 and $m = 2 and $states.input.y = 1 %}", Next: D, Output: {seen: "{% $n %}"}}]
              Default: E
            D: {Type: Succeed}
            E: {Type: Fail, Error: Wrong}
            """,
            "{\"x\":3}", payload -> payload);
    assertEquals("{\"seen\":3}", end.output());
  }

  @Test
  void aTimeOutIsNoFailedTaskAndCanBeCaught() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    String retry = "Retry: [{ErrorEquals: [States.TaskFailed], MaxAttempts: 9}]";
    String caught =
        "Catch: [{ErrorEquals: [States.Timeout], Next: B, Output: '{% $states.errorOutput.Error %}'}]";
    Description end =
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
    Description through =
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
    Description end = run("A: {Type: Wait, Seconds: 600, End: true}", "{}", payload -> payload);
    assertEquals(Status.TIMED_OUT, end.status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A: {Type: Map, End: true}                                                     | unknown Type Map
          A: {Type: Pass, Next: X}                                                      | no state X
          A: {Type: Pass}                                                               | needs either Next or End
          A: {Type: Pass, Parameters: {}, End: true}                                    | unknown Parameters
          A: {Type: Pass, Output: '{% 1 + %}', End: true}                               | not JSONata
          A: {Type: Pass, Assign: {states: 1}, End: true}                               | reserved name
          A: {Type: Wait, Timestamp: x, End: true}                                      | Seconds is missing
          A: {Type: Choice, Choices: [{Variable: $.x, Next: A}]}                        | Condition is missing
          A: {Type: Choice, Choices: [{Condition: true, Next: A, X: 1}]}                | unknown X
          A: {Type: Task, Resource: 'arn:aws:states:::sqs:sendMessage', End: true}      | Resource must be
          A: {TASK, HeartbeatSeconds: 5, End: true}                                     | unknown HeartbeatSeconds
          A: {TASK, Retry: [{ErrorEquals: [X], Backoff: 1}], End: true}                 | unknown Backoff
          A: {TASK, Catch: [{ErrorEquals: [X], ResultPath: $.x, Next: A}], End: true}   | unknown ResultPath
          A: {TASK, Catch: [{ErrorEquals: [States.ALL], Next: A},{ErrorEquals: [X], Next: A}], End: true} | States.ALL must come last
          A: {TASK, Retry: [{ErrorEquals: [States.ALL, X]}], End: true}                 | only by itself
          A: {Type: Pass, QueryLanguage: JSONPath, End: true}                           | unknown QueryLanguage
          """)
  void refusesWhatItDoesNotKnow(String states, String reason) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> machine(states.replace("TASK", TASK)));
    assertTrue(String.valueOf(refusal.getMessage()).contains(reason), refusal.getMessage());
  }

  @Test
  void refusesOtherLanguagesFunctionsAndKeysSaidTwice() {
    Map<String, String> none = Map.of();
    String pass = "States: {A: {Type: Pass, End: true}}, StartAt: A";
    assertThrows(IllegalArgumentException.class, () -> StateMachine.read("{" + pass + "}", none));
    assertThrows(
        IllegalArgumentException.class,
        () -> StateMachine.read("{QueryLanguage: JSONPath, " + pass + "}", none));
    assertThrows(
        IllegalArgumentException.class,
        () -> StateMachine.read("{QueryLanguage: JSONata, StartAt: A, " + pass + "}", none));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            StateMachine.read(
                "{QueryLanguage: JSONata, StartAt: A, States: {A: {" + TASK + ", End: true}}}",
                none));
  }

  private static StateMachine machine(String states) {
    String head = "QueryLanguage: JSONata\nStartAt: A\nTimeoutSeconds: 2\nStates:\n";
    return StateMachine.read(head + states.indent(2), Map.of("F", "F"));
  }

  private static Description run(String states, String input, Lambda function) throws Exception {
    try (StepFunctions steps =
        new StepFunctions(machine(states), Map.of("F", function), Clock.systemUTC())) {
      assertTrue(steps.start("x", input).isPresent());
      return eventually(
          () -> steps.describe("x").orElseThrow(), found -> found.status() != Status.RUNNING);
    }
  }
}
