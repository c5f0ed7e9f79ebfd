package agentsessions.chaos;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// A client of the API as any program is one, with the keys of one workspace; it uses them in turn,
/// since each has its own rate.
final class Client {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .proxy(HttpClient.Builder.NO_PROXY)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private final String base;
  private final List<String> authorizations;
  private final AtomicInteger turn = new AtomicInteger();

  private Client(String base, List<String> authorizations) {
    this.base = base;
    this.authorizations = authorizations;
  }

  /// @param base without a path
  static Client of(URI base, List<String> keys) {
    return new Client(base + "/rest/v1", keys.stream().map(key -> "ApiKey " + key).toList());
  }

  /// Speaks the runner protocol with a ticket or a token.
  static Client ofRunner(String url, String pass) {
    return new Client(url, List.of("Bearer " + pass));
  }

  /// What was answered; `body` is null's node where there is none.
  record Answer(int status, JsonNode body, HttpResponse<byte[]> raw) {
    /// The answer, if it has this status.
    Answer expect(int wanted) {
      if (status != wanted) {
        throw new AssertionError(
            "%s %s: %d %s instead of %d"
                .formatted(raw.request().method(), raw.uri(), status, body, wanted));
      }
      return this;
    }

    String text(String pointer) {
      return body.at(pointer).asText();
    }
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  Answer post(String path, Map<String, ?> body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  Answer send(String method, String path, Map<String, ?> body)
      throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
  }

  /// What is behind a link that carries its own permission.
  static String download(String link) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(link)).timeout(Duration.ofSeconds(60)).build();
    return HTTP.send(request, BodyHandlers.ofString()).body();
  }

  static int put(String link, byte[] content) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(link))
            .header("If-None-Match", "*")
            .PUT(BodyPublishers.ofByteArray(content))
            .build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  /// The entity tag of a part that was put to a link.
  static String putPart(String link, byte[] content) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(link)).PUT(BodyPublishers.ofByteArray(content)).build();
    HttpResponse<Void> answer = HTTP.send(request, BodyHandlers.discarding());
    return answer.headers().firstValue("ETag").orElseThrow();
  }

  private HttpRequest.Builder request(String path) {
    String key = authorizations.get(Math.floorMod(turn.getAndIncrement(), authorizations.size()));
    return HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : base + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", key);
  }

  private static Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = HTTP.send(request.build(), BodyHandlers.ofByteArray());
    JsonNode body = response.body().length == 0 ? JSON.nullNode() : JSON.readTree(response.body());
    return new Answer(response.statusCode(), body, response);
  }
}
