package agentsessions.authorizer.wire;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A call of DynamoDB that failed: it was refused, or not answered in time.
public final class DynamoDbFault extends RuntimeException {
  private static final Set<String> THROTTLED =
      Set.of(
          "ProvisionedThroughputExceededException",
          "ThrottlingException",
          "RequestLimitExceeded",
          "Throttling",
          "ThrottledException",
          "TooManyRequestsException");

  private final int status;
  private final String code;

  private DynamoDbFault(String message, int status, String code, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
    this.code = code;
  }

  static DynamoDbFault unanswered(Exception cause) {
    return new DynamoDbFault("DynamoDB did not answer", 0, "", cause);
  }

  /// The body names the error in `__type`, after a `#`.
  static DynamoDbFault answered(String operation, HttpCall.Response response) {
    String type = "";
    String message = "";
    try {
      type = JsonText.object(response.body()).getOrDefault("__type", "").toString();
      message = JsonText.object(response.body()).getOrDefault("message", "").toString();
    } catch (IllegalArgumentException notOfDynamoDb) {
      type = "unknown";
    }
    String code = type.substring(type.indexOf('#') + 1);
    return new DynamoDbFault(
        operation + ": " + response.status() + " " + code + " " + message,
        response.status(),
        code,
        null);
  }

  boolean isThrottling() {
    return status == 429 || THROTTLED.contains(code);
  }

  /// Whether the same call may succeed soon.
  boolean isPassing() {
    return status == 0 || status >= 500 || isThrottling();
  }
}
