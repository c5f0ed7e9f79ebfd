package agentsessions.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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

/// A client of the deployed API, with one key.
record Client(String base, String key) {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /// Creates a session and says what was answered.
  JsonNode create(String script) throws IOException, InterruptedException {
    return post("/sessions", Map.of("agent_name", "shell", "message", script));
  }

  JsonNode post(String path, Map<String, String> body) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        sendPatiently(
            request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build());
    if (answer.statusCode() != 201) {
      throw new AssertionError(answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return JSON.readTree(sendPatiently(request(path).build()).body());
  }

  HttpRequest.Builder request(String path) {
    URI url = URI.create(path.startsWith("/") ? base + path : path);
    return HttpRequest.newBuilder(url).header("Authorization", "ApiKey " + key);
  }

  /// Polls a turn's link until it has the reply.
  String reply(JsonNode sent) {
    String link = sent.at("/_links/final_message/href").asText();
    return await(link, () -> page(link), page -> !page.path("items").isEmpty())
        .at("/items/0/message")
        .asText()
        .strip();
  }

  /// Polls a turn's link until its runner is at work.
  void awaitRunning(JsonNode sent) {
    String link = sent.at("/_links/final_message/href").asText();
    await(link, () -> page(link), page -> page.at("/thread/status").asText().equals("running"));
  }

  /// The key is also the contract suite's, which runs meanwhile: waits as it is told.
  private static HttpResponse<String> sendPatiently(HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = send(request);
    while (answer.statusCode() == 429) {
      String seconds = answer.headers().firstValue("Retry-After").orElseThrow();
      LockSupport.parkNanos(Duration.ofSeconds(Long.parseLong(seconds)).toNanos());
      answer = send(request);
    }
    return answer;
  }

  static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return HTTP.send(request, BodyHandlers.ofString());
  }

  static <T> T await(String what, Supplier<T> question, Predicate<T> isAnswer) {
    Instant deadline = Instant.now().plus(Duration.ofMinutes(3));
    while (Instant.now().isBefore(deadline)) {
      T answer = question.get();
      if (isAnswer.test(answer)) {
        return answer;
      }
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    }
    throw new AssertionError("In vain: " + what);
  }

  private JsonNode page(String link) {
    try {
      return get(link);
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(link, failed);
    }
  }
}
