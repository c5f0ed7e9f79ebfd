package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// A program that talks to the service with one key. When it is told that it asks too often, it
/// waits as it is told; any other refusal fails the test.
///
/// @param base the API's base URL, to which paths are added
public record Client(String base, String key) {
  public static final ObjectMapper JSON = new ObjectMapper();

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /// A client of a service.
  ///
  /// @param service without a path
  public static Client of(URI service, String key) {
    return new Client(service + "/rest/v1", key);
  }

  /// The key has no place in a message or a report.
  @Override
  public String toString() {
    return base;
  }

  /// Another program, with a key of its own.
  public Client with(String otherKey) {
    return new Client(base, otherKey);
  }

  /// Begins a session.
  public Talk create(String agent, String message) {
    return create(agent, message, Map.of());
  }

  /// Begins a session with something to work on beside its message.
  public Talk create(String agent, String message, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("agent_name", agent);
    body.put("message", message);
    JsonNode session = post("/sessions", body);
    return new Talk(this, session.path("id").asText(), session);
  }

  /// What a success answers.
  ///
  /// @param path below the base URL, or a whole link
  public JsonNode get(String path) {
    return json(patiently(request(path).build()));
  }

  public JsonNode post(String path, Map<String, ?> body) {
    return json(
        patiently(
            request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(text(body)))
                .build()));
  }

  /// Asks once, and takes any answer.
  public HttpResponse<String> ask(String path) {
    return send(request(path).build());
  }

  /// What a link leads to, fetched without a key.
  public static String download(String url) {
    return succeeded(send(HttpRequest.newBuilder(URI.create(url)).build())).body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(path.startsWith("/") ? base + path : path))
        .timeout(Duration.ofSeconds(35))
        .header("Authorization", "ApiKey " + key);
  }

  /// A key may be the contract suite's too, which runs meanwhile.
  private static HttpResponse<String> patiently(HttpRequest request) {
    HttpResponse<String> answer = send(request);
    while (answer.statusCode() == 429) {
      String seconds = answer.headers().firstValue("Retry-After").orElseThrow();
      LockSupport.parkNanos(Duration.ofSeconds(Long.parseLong(seconds)).toNanos());
      answer = send(request);
    }
    return succeeded(answer);
  }

  private static HttpResponse<String> succeeded(HttpResponse<String> answer) {
    assertTrue(
        answer.statusCode() < 300,
        () -> answer.request() + " " + answer.statusCode() + " " + answer.body());
    return answer;
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static JsonNode json(HttpResponse<String> answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + answer.body(), e);
    }
  }

  private static String text(Map<String, ?> body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
