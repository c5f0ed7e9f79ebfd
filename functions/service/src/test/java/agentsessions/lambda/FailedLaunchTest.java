package agentsessions.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.turn.RunnerCredential;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lambda's invocation record, as a topic brings it.
class FailedLaunchTest {
  private static final JsonMapper JSON = JsonMapper.createDefault();
  private static final String TICKET =
      "w.2554e816-96ed-44f3-95ea-b2da5074690e.018f3b1c-0000-7000-8000-000000000000.1-5-0-secret";

  @ParameterizedTest
  @CsvSource({
    "EventAgeExceeded,",
    "ZeroReservedConcurrency,",
    "RetriesExhausted, java.io.IOException"
  })
  void onlyARunnerThatWasCalledHasAnError(String condition, String error) throws IOException {
    List<FailedLaunch> launches =
        launches(
            """
            {"version": "1.0", "timestamp": "2026-11-14T18:16:05.568Z",
             "requestContext": {"requestId": "e4b46cbf", "functionArn": "arn:aws:lambda:x:1:function:Runner:live",
               "condition": "%s", "approximateInvokeCount": 1},
             "requestPayload": {"ticket": "%s", "url": "https://x/runner/v1", "attempt": 0},
             "responseContext": {"statusCode": 200, "executedVersion": "1", "functionError": "Unhandled"},
             "responsePayload": {"errorMessage": "claim failed", "errorType": "java.io.IOException"}}
            """
                .formatted(condition, TICKET));
    RunnerCredential ticket = RunnerCredential.parse("Bearer " + TICKET).orElseThrow();
    assertEquals(List.of(new FailedLaunch(ticket, Optional.ofNullable(error))), launches);
  }

  @Test
  void whatIsNoLaunchIsNothing() throws IOException {
    assertEquals(List.of(), launches("{\"requestPayload\": {\"ticket\": \"none\"}}"));
    assertEquals(List.of(), launches("{}"));
    assertFalse(FailedLaunch.isBrought(Map.of("step", "fail")));
  }

  private static List<FailedLaunch> launches(String message) throws IOException {
    Map<String, Object> record =
        Map.of("EventSource", "aws:sns", "Sns", Map.of("Message", message));
    Map<String, Object> event =
        JSON.readValue(
            JSON.writeValueAsBytes(Map.of("Records", List.of(record))),
            Argument.mapOf(String.class, Object.class));
    assertTrue(FailedLaunch.isBrought(event));
    return FailedLaunch.of(event, JSON);
  }
}
