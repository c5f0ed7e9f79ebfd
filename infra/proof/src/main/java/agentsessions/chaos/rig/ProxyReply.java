package agentsessions.chaos.rig;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// A reply of the proxy to a call of the AWS SDK.
public final class ProxyReply {
  /// No answer: the connection is dropped.
  public static final ProxyReply NONE = new ProxyReply(0, Map.of(), new byte[0]);

  /// No answer: the connection is held until the call's rule is removed, then dropped.
  public static final ProxyReply HELD = new ProxyReply(-1, Map.of(), new byte[0]);

  private final int status;
  private final Map<String, List<String>> headers;
  private final byte[] body;

  private ProxyReply(int status, Map<String, List<String>> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static ProxyReply of(HttpResponse<byte[]> response) {
    return new ProxyReply(response.statusCode(), response.headers().map(), response.body());
  }

  public static ProxyReply json(int status, String body) {
    return text(status, "application/x-amz-json-1.0", body);
  }

  public static ProxyReply xml(int status, String code) {
    return text(
        status,
        "application/xml",
        "<Error><Code>%s</Code><Message>injected</Message></Error>".formatted(code));
  }

  /// The status of an answer; no answer has 0 or less.
  public int status() {
    return status;
  }

  Map<String, List<String>> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }

  private static ProxyReply text(int status, String type, String body) {
    return new ProxyReply(
        status, Map.of("Content-Type", List.of(type)), body.getBytes(StandardCharsets.UTF_8));
  }
}
