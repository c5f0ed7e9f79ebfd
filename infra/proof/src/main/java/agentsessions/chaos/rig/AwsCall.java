package agentsessions.chaos.rig;

import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One request of the AWS SDK, as seen on the wire.
///
/// @param operation as AWS names it: `GetItem`, `HeadObject`, `StartExecution`; `DryRun` of an
///   `Invoke` that only asks
/// @param body the request's body; empty for S3
public record AwsCall(String operation, URI uri, String body) {
  static AwsCall of(HttpExchange exchange, byte[] body) {
    @Nullable String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    URI uri = exchange.getRequestURI();
    if (target == null && uri.getPath().endsWith("/invocations")) {
      boolean dry = "DryRun".equals(exchange.getRequestHeaders().getFirst("X-Amz-Invocation-Type"));
      return new AwsCall(dry ? "DryRun" : "Invoke", uri, new String(body, StandardCharsets.UTF_8));
    }
    return target == null
        ? new AwsCall(object(exchange, uri), uri, "")
        : new AwsCall(
            target.substring(target.indexOf('.') + 1),
            uri,
            new String(body, StandardCharsets.UTF_8));
  }

  /// Whether the call's body or address contains this text.
  boolean names(String text) {
    return body.contains(text) || uri.toString().contains(text);
  }

  /// Whether the call starts the webhook sender: any function but the runner's is that one.
  boolean isAboutWebhooks() {
    return operation.equals("Invoke") && !uri.getPath().endsWith("/functions/Runner/invocations");
  }

  boolean isSweep() {
    return operation.equals("Query")
        && body.contains("\"IndexName\"")
        && !body.contains("\"DELIVERY#");
  }

  public boolean isObject() {
    return operation.endsWith("Object") || operation.endsWith("Objects");
  }

  private static String object(HttpExchange exchange, URI uri) {
    String query = String.valueOf(uri.getRawQuery());
    boolean copies = exchange.getRequestHeaders().containsKey("X-Amz-Copy-Source");
    return switch (exchange.getRequestMethod()) {
      case "HEAD" -> "HeadObject";
      case "PUT" -> copies ? "CopyObject" : "PutObject";
      case "POST" -> "DeleteObjects";
      case "DELETE" -> "DeleteObject";
      default -> query.contains("list-type") ? "ListObjects" : "GetObject";
    };
  }
}
