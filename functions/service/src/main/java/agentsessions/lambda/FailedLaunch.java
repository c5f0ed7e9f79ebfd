package agentsessions.lambda;

import agentsessions.turn.Pass;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What Lambda says of a launch that it accepted: the record of its failure destination, as the
/// topic `Dropped` of the template brings it.
///
/// @param ticket of the launch; whoever can say this, knows it
/// @param error of the runner; empty where none was started
record FailedLaunch(Pass ticket, Optional<String> error) {
  /// Lambda's word where it has called the function, which failed. Any other (`EventAgeExceeded`)
  /// is of a call that was dropped before.
  private static final String CALLED = "RetriesExhausted";

  private static final int LONGEST_ERROR = 256;

  private static final Argument<Map<String, Object>> OBJECT =
      Argument.mapOf(String.class, Object.class);

  static boolean isBrought(Map<String, Object> event) {
    return event.get("Records") instanceof List;
  }

  /// Those of an event of SNS, without what is none.
  static List<FailedLaunch> of(Map<String, Object> event, JsonMapper json) throws IOException {
    List<FailedLaunch> launches = new ArrayList<>();
    for (Object each : event.get("Records") instanceof List<?> list ? list : List.of()) {
      String message = String.valueOf(within(within(each, "Sns"), "Message"));
      read(json.readValue(message, OBJECT)).ifPresent(launches::add);
    }
    return launches;
  }

  private static Optional<FailedLaunch> read(Map<String, Object> told) {
    Object condition = within(within(told, "requestContext"), "condition");
    Object error = within(within(told, "responsePayload"), "errorType");
    Object ticket = within(within(told, "requestPayload"), "ticket");
    return Pass.parse("Bearer " + ticket)
        .map(pass ->
            new FailedLaunch(
                pass, CALLED.equals(condition) ? Optional.of(name(error)) : Optional.empty()));
  }

  /// As much as Step Functions takes.
  private static String name(Object error) {
    String text = String.valueOf(error);
    return text.substring(0, Math.min(text.length(), LONGEST_ERROR));
  }

  private static Object within(Object object, String name) {
    Object found = object instanceof Map<?, ?> map ? map.get(name) : null;
    return found == null ? "" : found;
  }
}
