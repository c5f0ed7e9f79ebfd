package agentsessions.authorizer.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Calls of DynamoDB, signed, each within a time of its own and tried up to three times: again
/// after a pause, when it was throttled, not answered, or met a fault of DynamoDB's. For one
/// thread.
public final class DynamoDbCalls {
  private static final int ATTEMPTS = 3;
  private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long THROTTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final URI address;
  private final RequestSigner signer;
  private final CredentialSource credentials;
  private final Clock clock;

  private DynamoDbCalls(
      URI address, RequestSigner signer, CredentialSource credentials, Clock clock) {
    this.address = address;
    this.signer = signer;
    this.credentials = credentials;
    this.clock = clock;
  }

  /// As the variables of a Lambda function say.
  public static DynamoDbCalls of(Map<String, String> environment) {
    String region = Objects.requireNonNull(environment.get("AWS_REGION"), "AWS_REGION");
    URI address = TableEndpoint.of(environment, region);
    Clock clock = Clock.systemUTC();
    return new DynamoDbCalls(
        address,
        RequestSigner.of(address, region),
        new CredentialSource(environment, clock),
        clock);
  }

  /// The response to a request, which must be one that may be repeated.
  ///
  /// @param patience for all attempts
  /// @throws DynamoDbFault if it was refused, or failed to the last
  public Map<String, Object> call(String operation, String request, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (int attempt = 1; ; attempt++) {
      DynamoDbFault fault;
      try {
        HttpCall.Response response = send(operation, request, end);
        if (response.status() == 200) {
          return JsonText.object(response.body());
        }
        fault = DynamoDbFault.answered(operation, response);
      } catch (IOException | IllegalArgumentException unanswered) {
        fault = DynamoDbFault.unanswered(unanswered);
      }
      long pause = pause(fault, attempt);
      if (!fault.isPassing() || attempt == ATTEMPTS || System.nanoTime() + pause - end >= 0) {
        throw fault;
      }
      LockSupport.parkNanos(pause);
    }
  }

  private HttpCall.Response send(String operation, String body, long end) throws IOException {
    Map<String, String> headers =
        signer.signed(
            "DynamoDB_20120810." + operation,
            body.getBytes(UTF_8),
            credentials.current(millis(end)),
            clock.instant());
    return new HttpCall(address, headers, body).send(millis(end));
  }

  /// What an attempt may take; at least a millisecond, because 0 is for ever.
  private static int millis(long end) {
    long left = Math.min(ATTEMPT_NANOS, end - System.nanoTime());
    return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
  }

  /// Random, so that many who failed together do not come again together. The generator is made
  /// here, because copies of a snapshot would all have the same one.
  private static long pause(DynamoDbFault fault, int attempt) {
    long most = fault.isThrottling() ? THROTTLED_NANOS : PAUSE_NANOS;
    return new Random().nextLong(most << (attempt - 1));
  }
}
