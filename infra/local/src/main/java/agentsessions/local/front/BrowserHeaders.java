package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.machine.SamTemplate;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The response headers for browsers, caching and CORS, on every response regardless of its origin:
/// function, gateway, HTTP server or object store.
///
/// @param corsOrigin the origin whose pages may read responses, or `*`; empty: none
record BrowserHeaders(String corsOrigin) {
  private static final String EXPOSED =
      "Retry-After, X-Request-Id, Location, RateLimit-Policy, Idempotent-Replayed";
  private static final String EXPOSED_OF_DOWNLOADS =
      "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag";
  private static final String DOWNLOAD_PREFLIGHT =
      "Range, If-Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since";
  private static final String PREFLIGHT_SECONDS = "7200";

  /// The headers of a preflight response, from `template.yaml`.
  private static final JsonNode PREFLIGHT =
      SamTemplate.api()
          .path("paths")
          .path("/{proxy+}")
          .path("options")
          .at("/x-amazon-apigateway-integration/responses/default/responseParameters/1");

  Answer withHeaders(Answer answer) {
    Answer complete = answer.with("Cache-Control", "no-store");
    for (Header header : readable(EXPOSED)) {
      complete = complete.with(header.name(), header.value());
    }
    return complete;
  }

  /// The headers that are added to a download.
  List<Header> ofDownload() {
    return readable(EXPOSED_OF_DOWNLOADS);
  }

  /// The CORS preflight response of the API, which needs no key. As on AWS, the gateway sends it
  /// without a function, as `template.yaml` defines it.
  Answer mayRequest(String requestId) {
    List<Header> headers =
        mayAsk()
            ? PREFLIGHT.properties().stream().flatMap(BrowserHeaders::fixed).toList()
            : List.of();
    return new Answer(204, headers, new byte[0]).with("X-Request-Id", requestId);
  }

  /// A header with a quoted, fixed value; the others are on every response anyway.
  private static Stream<Header> fixed(Map.Entry<String, JsonNode> header) {
    String value = header.getValue().asText();
    String name = header.getKey().replace("method.response.header.", "");
    return value.startsWith("'") && !name.equals("Access-Control-Allow-Origin")
        ? Stream.of(new Header(name, value.substring(1, value.length() - 1)))
        : Stream.empty();
  }

  boolean mayAsk() {
    return !corsOrigin.isEmpty();
  }

  /// The CORS preflight response of downloads.
  Answer mayDownload() {
    List<Header> headers =
        List.of(
            new Header("Access-Control-Allow-Methods", "GET, HEAD"),
            new Header("Access-Control-Allow-Headers", DOWNLOAD_PREFLIGHT),
            new Header("Access-Control-Max-Age", PREFLIGHT_SECONDS));
    return withHeaders(new Answer(204, headers, new byte[0]));
  }

  private List<Header> readable(String exposed) {
    return corsOrigin.isEmpty()
        ? List.of()
        : List.of(
            new Header("Access-Control-Allow-Origin", corsOrigin),
            new Header("Access-Control-Expose-Headers", exposed));
  }
}
