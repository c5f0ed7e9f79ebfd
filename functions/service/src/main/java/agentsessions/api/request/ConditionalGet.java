package agentsessions.api.request;

import agentsessions.session.id.Sha256;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The `ETag` of a response that clients may keep, and the 304 for one that the client has already
/// (`If-None-Match`).
final class ConditionalGet {
  private static final int TAG_BYTES = 16;

  private ConditionalGet() {}

  /// Tags a success whose `Cache-Control` lets it be kept; without its body where its tag is known.
  static void finish(
      APIGatewayProxyRequestEvent event,
      APIGatewayProxyResponseEvent answer,
      Map<String, List<String>> headers) {
    if (answer.getStatusCode() == 200 && mayBeKept(headers)) {
      tag(event, answer, headers);
    }
  }

  private static boolean mayBeKept(Map<String, List<String>> headers) {
    return headers.getOrDefault("Cache-Control", List.of()).stream()
        .anyMatch(value -> value.contains("no-cache"));
  }

  /// The tag is weak, since the body may be compressed on its way.
  private static void tag(
      APIGatewayProxyRequestEvent event,
      APIGatewayProxyResponseEvent answer,
      Map<String, List<String>> headers) {
    String tag = digest(answer.getBody());
    headers.put("ETag", List.of("W/\"" + tag + "\""));
    if (known(event).anyMatch(known -> known.equals("*") || known.contains(tag))) {
      headers.remove("Content-Type");
      answer.setStatusCode(304);
      answer.setBody("");
    }
  }

  private static Stream<String> known(APIGatewayProxyRequestEvent event) {
    Map<String, String> headers = Optional.ofNullable(event.getHeaders()).orElseGet(Map::of);
    return headers.entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase("If-None-Match"))
        .flatMap(header -> Stream.of(header.getValue().split(",", -1)))
        .map(String::strip);
  }

  private static String digest(String body) {
    byte[] tag = Arrays.copyOf(Sha256.of(body), TAG_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(tag);
  }
}
