package agentsessions.chat.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The HTTP client for the service, with retries.
///
/// It retries after lost connections and the statuses 429, 500, 502, 503 and 504, for two minutes
/// in all, with backoff or as the response's `Retry-After` says. It does not retry if it has never
/// reached the service. Every POST has an `Idempotency-Key`, so that a retry does not send a second
/// message.
public final class ApiHttp {
  public static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration RETRY_TIME = Duration.ofMinutes(2);
  private static final int QUIET_ATTEMPTS = 3;
  private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);

  private final Access access;
  private final Consumer<String> notices;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  private volatile boolean known;
  private final RetryPolicy<HttpResponse<?>> policy =
      RetryPolicy.<HttpResponse<?>>builder()
          .handle(IOException.class)
          .handleResultIf(answer -> PASSING.contains(answer.statusCode()))
          .abortIf((answer, failure) -> !known && isUnreachable(failure))
          .onRetry(retry -> say(retry.getAttemptCount()))
          .withBackoff(Duration.ofMillis(250), Duration.ofSeconds(10))
          .withJitter(0.2)
          .withDelayFn(context -> retryAfter(context.getLastResult()))
          .withMaxRetries(-1)
          .withMaxDuration(RETRY_TIME)
          .build();

  /// @param notices gets a line when a response takes longer than usual
  ApiHttp(Access access, Consumer<String> notices) {
    this.access = access;
    this.notices = notices;
  }

  /// Sends a GET and parses the response.
  ///
  /// @throws ChatFailure with what the service answered
  public <T> T read(URI link, Class<T> type) {
    return parsed(exchange(request(link).GET().build(), BodyHandlers.ofString()), type);
  }

  /// @throws ChatFailure with what the service answered
  <T> T post(URI link, Map<String, ?> body, Class<T> type) {
    HttpRequest request =
        request(link)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .POST(BodyPublishers.ofString(text(body)))
            .build();
    return parsed(exchange(request, BodyHandlers.ofString()), type);
  }

  /// The lines of an event stream as they arrive; empty if the path does not exist.
  ///
  /// @param lastId the id of the last event received; empty: none
  /// @throws ChatFailure with what the service answered
  Optional<LiveLines> events(URI link, String lastId) {
    HttpRequest.Builder request = request(link).header("Accept", "text/event-stream").GET();
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    HttpResponse<Stream<String>> answer = exchange(request.build(), ApiHttp::linesOrRefusal);
    if (answer.statusCode() == 200) {
      return Optional.of(new LiveLines(answer.body()));
    }
    String body = answer.body().collect(Collectors.joining("\n"));
    if (answer.statusCode() == 404) {
      return Optional.empty();
    }
    throw failure(answer.statusCode(), body);
  }

  /// A subscriber that passes a stream's lines on as they arrive, and reads an error response
  /// whole.
  private static BodySubscriber<Stream<String>> linesOrRefusal(ResponseInfo answer) {
    return answer.statusCode() == 200
        ? BodySubscribers.ofLines(StandardCharsets.UTF_8)
        : BodySubscribers.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), String::lines);
  }

  /// Parses JSON of the API.
  public static <T> T read(String json, Class<T> type) {
    try {
      return JSON.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new ChatFailure("Not an answer of the API");
    }
  }

  private HttpRequest.Builder request(URI named) {
    URI link = access.here(named);
    if (!access.covers(link)) {
      throw new ChatFailure(
          "The service's links point to " + link.getRawAuthority() + ": give that as --url");
    }
    return HttpRequest.newBuilder(link)
        .timeout(TIMEOUT)
        .header("User-Agent", ClientVersion.userAgent())
        .header("Authorization", "ApiKey " + access.key());
  }

  private <B> HttpResponse<B> exchange(HttpRequest request, BodyHandler<B> body) {
    try {
      HttpResponse<B> answer = Failsafe.with(policy).get(() -> client.send(request, body));
      known = true;
      return answer;
    } catch (FailsafeException e) {
      if (e.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new ChatFailure(
          "No answer from "
              + access
              + ". Is the service running there? On this machine, scripts/start starts it");
    }
  }

  /// Whether no connection was made: retries then help only if the service has answered before.
  private static boolean isUnreachable(@Nullable Throwable failure) {
    return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
  }

  private void say(int attempts) {
    if (attempts == QUIET_ATTEMPTS) {
      notices.accept("No answer yet from " + access + ", trying on for two minutes.");
    }
  }

  /// The delay of `Retry-After`, times 1.3, since the jitter may take off a fifth. A negative delay
  /// stands for the usual backoff.
  private static Duration retryAfter(@Nullable HttpResponse<?> answer) {
    return Optional.ofNullable(answer)
        .flatMap(known -> known.headers().firstValue("Retry-After"))
        .filter(seconds -> seconds.matches("\\d{1,4}"))
        .map(seconds -> Duration.ofMillis(1300 * Long.parseLong(seconds)))
        .orElse(Duration.ofNanos(-1));
  }

  private <T> T parsed(HttpResponse<String> answer, Class<T> type) {
    try {
      if (answer.statusCode() / 100 == 2) {
        return JSON.readValue(answer.body(), type);
      }
    } catch (JsonProcessingException e) {
      throw notOurs(answer.statusCode());
    }
    throw failure(answer.statusCode(), answer.body());
  }

  private ChatFailure failure(int status, String body) {
    try {
      return failure(JSON.readValue(body, ApiModel.Problem.class));
    } catch (JsonProcessingException e) {
      return notOurs(status);
    }
  }

  private ChatFailure notOurs(int status) {
    return new ChatFailure("Not an answer of the API: status " + status + " from " + access);
  }

  private ChatFailure failure(ApiModel.Problem problem) {
    StringBuilder text = new StringBuilder(problem.code() + ": " + problem.message());
    for (ApiModel.Detail each :
        Objects.requireNonNullElse(problem.details(), List.<ApiModel.Detail>of())) {
      String mistake = each.field() + " " + each.message();
      if (!problem.message().contains(mistake)) {
        text.append("; ").append(mistake);
      }
    }
    String hint = problem.code().equals("UNAUTHORIZED") ? ". " + access.origin() : "";
    return new ChatFailure(text + " (request " + problem.requestId() + ")" + hint);
  }

  private static String text(Object body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
