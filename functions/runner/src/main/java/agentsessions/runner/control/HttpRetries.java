package agentsessions.runner.control;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.databind.JsonNode;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import dev.failsafe.RetryPolicyBuilder;
import dev.failsafe.function.CheckedSupplier;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// HTTP requests to the service and the object store, with retries while they fail for a transient
/// reason.
///
/// Errors name the call and the status, never a URL or a token: both can hold secrets.
final class HttpRetries {
  static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private static final Duration PAUSE = Duration.ofMillis(100);

  /// @param retryTime the duration of retries; not more than a first pause means a single attempt
  static HttpResponse<byte[]> send(String call, HttpRequest request, Duration retryTime)
      throws IOException {
    if (retryTime.compareTo(PAUSE) > 0) {
      return repeated(
          call,
          retries(retryTime, () -> true).build(),
          () -> HTTP.send(request, BodyHandlers.ofByteArray()));
    }
    try {
      return HTTP.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException interrupted) {
      throw failure(call, interrupted);
    }
  }

  static HttpResponse<byte[]> repeated(
      String call,
      RetryPolicy<HttpResponse<byte[]>> retries,
      CheckedSupplier<HttpResponse<byte[]>> attempt)
      throws IOException {
    try {
      return Failsafe.with(retries).get(attempt);
    } catch (FailsafeException failed) {
      throw failure(call, failed.getCause());
    }
  }

  static RetryPolicyBuilder<HttpResponse<byte[]>> retries(
      Duration retryTime, BooleanSupplier wanted) {
    return RetryPolicy.<HttpResponse<byte[]>>builder()
        .handle(IOException.class)
        .handleResultIf(response -> CallRefused.isTemporary(response.statusCode()))
        .abortIf((_, _) -> !wanted.getAsBoolean())
        .withBackoff(PAUSE, Duration.ofSeconds(3))
        .withJitter(0.3)
        .withMaxRetries(-1)
        .withMaxDuration(retryTime);
  }

  /// Polls once a second until there is an answer; a transient failure counts as no answer yet.
  ///
  /// @return empty if there was none in time
  static <T> Optional<T> polled(String call, Duration time, CheckedSupplier<Optional<T>> question)
      throws IOException {
    RetryPolicy<Optional<T>> again =
        RetryPolicy.<Optional<T>>builder()
            .handleIf(HttpRetries::isTemporary)
            .handleResultIf(Optional::isEmpty)
            .withDelay(Duration.ofSeconds(1))
            .withMaxRetries(-1)
            .withMaxDuration(time)
            .build();
    try {
      return Failsafe.with(again).get(question);
    } catch (FailsafeException failed) {
      if (failed.getCause() instanceof CallRefused refused && refused.isFinal()) {
        throw refused;
      }
      if (failed.getCause() instanceof IOException) {
        return Optional.empty();
      }
      throw failure(call, failed.getCause());
    }
  }

  private static boolean isTemporary(Throwable failure) {
    return failure instanceof CallRefused refused
        ? !refused.isFinal()
        : failure instanceof IOException;
  }

  static IOException failure(String call, @Nullable Throwable cause) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new IOException(
        call + " failed: " + (cause == null ? "" : cause.getClass().getSimpleName()));
  }

  /// The body of a successful response; an empty object if it is not JSON.
  static JsonNode json(String call, HttpResponse<byte[]> response) throws IOException {
    Optional<JsonNode> body = Json.parse(new String(response.body(), StandardCharsets.UTF_8));
    if (response.statusCode() / 100 != 2) {
      String code = body.map(error -> error.path("code").asText()).orElse("");
      throw new CallRefused(call, response.statusCode(), code);
    }
    return body.orElseGet(Json.MAPPER::createObjectNode);
  }

  private HttpRetries() {}
}
