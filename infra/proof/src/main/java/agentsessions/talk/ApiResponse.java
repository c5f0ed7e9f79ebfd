package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpHeaders;
import java.util.Set;
import java.util.TreeSet;

/// The service's response to a request, with the checks that most tests need.
///
/// @param request its method and URL, for messages
public record ApiResponse(String request, int status, HttpHeaders headers, String body) {
  /// Numbers keep all their digits: timestamps have more than a double holds.
  static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final Set<String> ERROR_FIELDS = Set.of("code", "message", "request_id");

  /// The body; a missing node where there is none.
  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError("Not JSON: " + this, e);
    }
  }

  /// A value in the body, by its JSON pointer; empty where there is none.
  public String text(String pointer) {
    return json().at(pointer).asText();
  }

  public String header(String name) {
    return headers
        .firstValue(name)
        .orElseThrow(() -> new AssertionError("No " + name + ": " + this));
  }

  /// The answer itself; fails if it does not have this status.
  public ApiResponse expect(int expected) {
    assertEquals(expected, status, this::toString);
    return this;
  }

  /// The body of a success.
  public JsonNode ok() {
    return expect(200).json();
  }

  /// The error body; fails if it does not have the one shape of all errors.
  public JsonNode refused(int expected, String code) {
    JsonNode error = expect(expected).json();
    assertTrue(header("Content-Type").startsWith("application/json"), this::toString);
    assertEquals(code, error.path("code").asText(), this::toString);
    assertFalse(error.path("message").asText().isBlank(), this::toString);
    assertEquals(header("X-Request-Id"), error.path("request_id").asText(), this::toString);
    assertEquals(code.equals("VALIDATION"), error.has("details"), this::toString);
    Set<String> fields = fields(error);
    fields.remove("details");
    assertEquals(ERROR_FIELDS, fields, this::toString);
    return error;
  }

  /// The validation details; fails unless the answer is a 422 about this field, and each detail has
  /// a sentence.
  public JsonNode invalid(String field) {
    JsonNode details = refused(422, "VALIDATION").path("details");
    for (JsonNode detail : details) {
      assertFalse(detail.path("message").asText().isBlank(), this::toString);
    }
    assertTrue(details.findValuesAsText("field").contains(field), () -> field + " in " + this);
    return details;
  }

  /// The body without the field that differs from request to request.
  public JsonNode withoutRequestId() {
    return ((ObjectNode) json()).without("request_id");
  }

  public static Set<String> fields(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
