package agentsessions.api.request;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The HTTP headers that every response has: `Cache-Control`, CORS, and those of `ConditionalGet`.
public final class HttpDefaults {
  private static final String EXPOSED =
      "Retry-After, X-Request-Id, Location, RateLimit-Policy, Idempotent-Replayed";

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

  /// Completes the headers of a response.
  public void finish(
      APIGatewayProxyRequestEvent event,
      APIGatewayProxyResponseEvent answer,
      Map<String, List<String>> headers) {
    headers.putIfAbsent("Cache-Control", List.of("no-store"));
    if (!corsOrigin.isEmpty()) {
      headers.put("Access-Control-Allow-Origin", List.of(corsOrigin));
      headers.put("Access-Control-Expose-Headers", List.of(EXPOSED));
    }
    ConditionalGet.finish(event, answer, headers);
  }
}
