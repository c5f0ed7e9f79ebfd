package agentsessions.api.request;

import agentsessions.session.id.Sha256;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The HTTP headers that every response has: `Cache-Control`, the `ETag` of a response that may be
/// cached, with the 304 for a match, and CORS.
public final class HttpDefaults {
  private static final String EXPOSED =
      "Retry-After, X-Request-Id, Location, RateLimit-Policy, Idempotent-Replayed";
  private static final int TAG_BYTES = 16;

  private final String corsOrigin;

  /// @param corsOrigin the one origin whose pages may read responses, or `*`; empty: none
  public HttpDefaults(String corsOrigin) {
    this.corsOrigin = corsOrigin;
  }

  /// The response to `GET /`, which has no route: where to find the console and the contract.
  public static Optional<APIGatewayProxyResponseEvent> answer(APIGatewayProxyRequestEvent event) {
    return event.getPath().equals("/") && event.getHttpMethod().equals("GET")
        ? Optional.of(beginning())
        : Optional.empty();
  }

  private static APIGatewayProxyResponseEvent beginning() {
    APIGatewayProxyResponseEvent answer = new APIGatewayProxyResponseEvent();
    answer.setStatusCode(200);
    answer.setMultiValueHeaders(new HashMap<>(Map.of("Content-Type", List.of("application/json"))));
    answer.setBody("{\"console\":\"console/\",\"contract\":\"rest/v1/openapi.yaml\"}");
    return answer;
  }

  /// Completes the headers of a response; one that the client has already (`If-None-Match`) becomes
  /// 304.
  public void finish(
      APIGatewayProxyRequestEvent event,
      APIGatewayProxyResponseEvent answer,
      Map<String, List<String>> headers) {
    headers.putIfAbsent("Cache-Control", List.of("no-store"));
    if (!corsOrigin.isEmpty()) {
      headers.put("Access-Control-Allow-Origin", List.of(corsOrigin));
      headers.put("Access-Control-Expose-Headers", List.of(EXPOSED));
    }
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
