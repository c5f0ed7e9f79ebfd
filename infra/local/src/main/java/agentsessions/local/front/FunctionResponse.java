package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// The conversion of a Lambda function's proxy response to an HTTP response.
final class FunctionResponse {
  private static final ObjectMapper JSON = new ObjectMapper();

  private FunctionResponse() {}

  /// @throws IOException if API Gateway would not accept it
  static Answer of(byte[] returned) throws IOException {
    JsonNode answer = JSON.readTree(returned);
    int status = answer.path("statusCode").asInt(0);
    if (status < 200 || status > 599) {
      throw new IOException("statusCode " + answer.path("statusCode"));
    }
    return new Answer(status, headers(answer), body(answer)).withoutConnection();
  }

  /// The headers of both maps; for a name in both, `multiValueHeaders` wins.
  private static List<Header> headers(JsonNode answer) {
    List<Header> headers = new ArrayList<>();
    JsonNode multi = answer.path("multiValueHeaders");
    multi
        .properties()
        .forEach(entry ->
            entry
                .getValue()
                .forEach(value -> headers.add(new Header(entry.getKey(), value.asText()))));
    answer.path("headers").properties().stream()
        .filter(entry ->
            headers.stream().noneMatch(header -> header.name().equalsIgnoreCase(entry.getKey())))
        .map(entry -> new Header(entry.getKey(), entry.getValue().asText()))
        .toList()
        .forEach(headers::add);
    return headers;
  }

  private static byte[] body(JsonNode answer) throws IOException {
    String text = answer.path("body").asText("");
    if (!answer.path("isBase64Encoded").asBoolean(false)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("the body is not base64", e);
    }
  }
}
