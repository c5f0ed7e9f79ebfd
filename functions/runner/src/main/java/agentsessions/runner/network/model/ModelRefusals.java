package agentsessions.runner.network.model;

import agentsessions.runner.agent.Dialect;
import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// The refusal of a call in the model API's own form of a 400, after which agents do not retry.
final class ModelRefusals {
  private static final int STATUS = HttpStatus.BAD_REQUEST_400;

  /// @param dialect the model's API, if it is known
  static void write(Optional<Dialect> dialect, String why, Response answer, Callback callback) {
    answer.setStatus(STATUS);
    answer.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    try {
      byte[] body = Json.MAPPER.writeValueAsBytes(body(dialect.orElse(Dialect.ANTHROPIC), why));
      answer.write(true, ByteBuffer.wrap(body), callback);
    } catch (JsonProcessingException impossible) {
      callback.failed(impossible);
    }
  }

  private static Map<String, Object> body(Dialect dialect, String why) {
    return switch (dialect) {
      case ANTHROPIC ->
          Map.of("type", "error", "error", Map.of("type", "invalid_request_error", "message", why));
      case RESPONSES, CHAT ->
          Map.of(
              "error",
              Map.of("message", why, "type", "invalid_request_error", "code", "budget_reached"));
      case GEMINI ->
          Map.of("error", Map.of("code", STATUS, "message", why, "status", "INVALID_ARGUMENT"));
    };
  }

  private ModelRefusals() {}
}
