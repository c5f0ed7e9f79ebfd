package agentsessions.local.steps;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/// The conversion of JSON to maps, lists and plain values, with the size limit of Step Functions.
final class StateJson {
  static final int LIMIT = 262_144;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private StateJson() {}

  static Object read(byte[] json) {
    try {
      return MAPPER.readValue(json, Object.class);
    } catch (IOException e) {
      throw new StepError(StepError.RUNTIME, "not JSON: " + e.getMessage());
    }
  }

  /// @throws StepError `States.DataLimitExceeded` over 256 KiB
  static byte[] write(Object value) {
    try {
      return checked(MAPPER.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new StepError(StepError.RUNTIME, "cannot be written as JSON: " + e.getMessage());
    }
  }

  /// The value after a round trip through JSON text, as one state passes it to the next.
  static Object plain(Object value) {
    return read(write(value));
  }

  static byte[] checked(byte[] json) {
    if (json.length > LIMIT) {
      throw new StepError(StepError.DATA_LIMIT, json.length + " bytes; the limit is " + LIMIT);
    }
    return json;
  }
}
