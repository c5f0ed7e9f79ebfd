package agentsessions.lambda;

import agentsessions.turn.RunnerCredential;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The failure of a runner's launch that Lambda had accepted: the record of the failure
/// destination, as the topic `Dropped` of the template delivers it.
///
/// @param ticket of the launch, which proves the record: only the launch knows it
/// @param error of the runner; empty where none was started
record FailedLaunch(RunnerCredential ticket, Optional<String> error) {
  /// Lambda's condition for a function that was called and failed. Any other (`EventAgeExceeded`)
  /// is that of a call that was dropped before.
  private static final String CALLED = "RetriesExhausted";

  private static final int LONGEST_ERROR = 256;

  private static final Argument<Map<String, Object>> OBJECT =
      Argument.mapOf(String.class, Object.class);

  /// Whether an event is one of SNS.
  static boolean isBrought(Map<String, Object> event) {
    return event.get("Records") instanceof List;
  }

  /// The failed launches of an event of SNS, without its other records.
  static List<FailedLaunch> of(Map<String, Object> event, JsonMapper json) throws IOException {
    List<FailedLaunch> launches = new ArrayList<>();
    for (Object each : event.get("Records") instanceof List<?> list ? list : List.of()) {
      String message = String.valueOf(within(within(each, "Sns"), "Message"));
      read(json.readValue(message, OBJECT)).ifPresent(launches::add);
    }
    return launches;
  }

  private static Optional<FailedLaunch> read(Map<String, Object> notice) {
    Object condition = within(within(notice, "requestContext"), "condition");
    Object error = within(within(notice, "responsePayload"), "errorType");
    Object ticket = within(within(notice, "requestPayload"), "ticket");
    return RunnerCredential.parse("Bearer " + ticket)
        .map(credential ->
            new FailedLaunch(
                credential,
                CALLED.equals(condition) ? Optional.of(name(error)) : Optional.empty()));
  }

  /// The error's name, as long as Step Functions accepts.
  private static String name(Object error) {
    String text = String.valueOf(error);
    return text.substring(0, Math.min(text.length(), LONGEST_ERROR));
  }

  private static Object within(Object object, String name) {
    Object found = object instanceof Map<?, ?> map ? map.get(name) : null;
    return found == null ? "" : found;
  }
}
