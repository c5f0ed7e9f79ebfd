package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.machine.SamTemplate;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// An error response of the gateway itself, in the API's error shape, with the text of
/// `template.yaml` where the gateway on AWS has the same response.
final class GatewayResponse extends RuntimeException {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode RESPONSES =
      SamTemplate.api().path("x-amazon-apigateway-gateway-responses");

  private final int status;
  private final String code;
  private final List<Header> headers;

  private GatewayResponse(int status, String code, String message, Header... headers) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.headers = List.of(headers);
  }

  static GatewayResponse badRequest(String message) {
    return new GatewayResponse(400, "BAD_REQUEST", message);
  }

  static GatewayResponse unauthorized() {
    return deployed("UNAUTHORIZED", header("UNAUTHORIZED", "WWW-Authenticate"));
  }

  static GatewayResponse authorizerFailure() {
    return deployed("AUTHORIZER_FAILURE", header("AUTHORIZER_FAILURE", "Retry-After"));
  }

  static GatewayResponse unknownCode() {
    return new GatewayResponse(
        401,
        "UNAUTHORIZED",
        "The code is wrong, too old, or was used",
        new Header("WWW-Authenticate", "ApiKey"));
  }

  static GatewayResponse notSigned() {
    return new GatewayResponse(
        403, "FORBIDDEN", "The link was not signed for this request, or its time is over");
  }

  static GatewayResponse tooManyKeys() {
    return new GatewayResponse(
        409, "TOO_MANY_KEYS", "The workspace has as many keys as it may; scripts/keys ends some");
  }

  static GatewayResponse notFound() {
    return deployed("MISSING_AUTHENTICATION_TOKEN");
  }

  static GatewayResponse methodNotAllowed(String allowed) {
    return new GatewayResponse(
        405,
        "METHOD_NOT_ALLOWED",
        "Method not allowed: this path takes " + allowed,
        new Header("Allow", allowed));
  }

  static GatewayResponse tooLarge(int status, String message) {
    return new GatewayResponse(status, "TOO_LARGE", message);
  }

  static GatewayResponse bodyTooLarge(int limit) {
    if (limit == BodyLimit.API) {
      return deployed("REQUEST_TOO_LARGE");
    }
    String most = limit < 1 << 20 ? (limit >> 10) + " KiB" : (limit >> 20) + " MiB";
    return tooLarge(413, "The body must be at most " + most);
  }

  static GatewayResponse busy() {
    return new GatewayResponse(
        503,
        "UNAVAILABLE",
        "The service is busy; send the same request again shortly",
        new Header("Retry-After", "2"));
  }

  static GatewayResponse rateLimited(long seconds) {
    return deployed("THROTTLED", new Header("Retry-After", Long.toString(seconds)));
  }

  static GatewayResponse tooManyStreams() {
    return new GatewayResponse(
        429,
        "STREAM_LIMIT",
        "More clients wait for events than there is room for",
        new Header("Retry-After", "10"));
  }

  static GatewayResponse diskNearlyFull() {
    return new GatewayResponse(
        503,
        "UNAVAILABLE",
        "The disk of the service is nearly full; deleting sessions makes room",
        new Header("Retry-After", "30"));
  }

  static GatewayResponse internal() {
    return new GatewayResponse(500, "INTERNAL", "Something went wrong on our side");
  }

  /// The response to a request that the HTTP server itself refuses: a client error, unless the
  /// server is stopping.
  static GatewayResponse refused(int status) {
    return switch (status) {
      case 408 -> new GatewayResponse(status, "BAD_REQUEST", "The request took too long");
      case 413, 414, 431 -> tooLarge(status, "The request line or the headers are too large");
      case 503 -> busy();
      default -> badRequest("Malformed request");
    };
  }

  /// A gateway response of a type, read from `template.yaml`.
  private static GatewayResponse deployed(String type, Header... headers) {
    JsonNode response = RESPONSES.path(type);
    try {
      JsonNode body =
          JSON.readTree(response.path("responseTemplates").path("application/json").asText());
      return new GatewayResponse(
          response.path("statusCode").asInt(),
          body.path("code").asText(),
          body.path("message").asText(),
          headers);
    } catch (JsonProcessingException malformed) {
      throw new IllegalStateException(type, malformed);
    }
  }

  /// A header with a fixed value of a gateway response; the template quotes such values.
  static Header header(String type, String name) {
    String value =
        RESPONSES
            .path(type)
            .path("responseParameters")
            .path("gatewayresponse.header." + name)
            .asText();
    return new Header(name, value.substring(1, value.length() - 1));
  }

  boolean isUnauthorized() {
    return status == 401;
  }

  Answer answer(String requestId) {
    ObjectNode body = JSON.createObjectNode();
    body.put("code", code)
        .put("message", String.valueOf(getMessage()))
        .put("request_id", requestId);
    Answer answer = new Answer(status, headers, body.toString().getBytes(StandardCharsets.UTF_8));
    return answer.with("Content-Type", "application/json");
  }
}
