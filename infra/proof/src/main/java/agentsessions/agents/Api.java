package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.LocalService;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A program that talks to the service with a key of a workspace of its own.
record Api(String base, String key) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  static Api of(LocalService service, String workspace) {
    return new Api(service.baseUrl() + "/rest/v1", service.createKey(workspace));
  }

  Talk create(String agent, String message) {
    JsonNode session = post("/sessions", Map.of("agent_name", agent, "message", message));
    return new Talk(this, session.path("id").asText(), session);
  }

  JsonNode get(String path) {
    return send(request(path).GET().build());
  }

  JsonNode post(String path, Object body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(ModelServer.text(body)))
            .build());
  }

  static String download(String url) {
    return body(HttpRequest.newBuilder(URI.create(url)).build());
  }

  /// The first answer that is as awaited.
  static <T> T await(String what, Duration limit, Supplier<T> question, Predicate<T> awaited) {
    Instant deadline = Instant.now().plus(limit);
    while (true) {
      T answer = question.get();
      if (awaited.test(answer)) {
        return answer;
      }
      assertTrue(Instant.now().isBefore(deadline), () -> "no " + what + " but " + answer);
      LockSupport.parkNanos(Duration.ofMillis(700).toNanos());
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(path.startsWith("/") ? base + path : path))
        .header("Authorization", "ApiKey " + key);
  }

  private static JsonNode send(HttpRequest request) {
    try {
      return ModelServer.JSON.readTree(body(request));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String body(HttpRequest request) {
    try {
      HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
      assertTrue(answer.statusCode() < 300, () -> request + " " + answer.body());
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
