package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A program that talks to the service: it knows the base URL and, usually, a key. Paths are under
/// the base URL; a whole URL is taken as it is. When it is told that it asks too often, it waits as
/// it is told. Whatever it sends and gets is held against the [Contract].
record Client(String base, @Nullable String key) {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private static final Queue<Session> MADE = new ConcurrentLinkedQueue<>();

  /// The key has no place in a message or a report.
  @Override
  public String toString() {
    return base;
  }

  /// The sessions that were created, by whichever client.
  static Queue<Session> made() {
    return MADE;
  }

  /// The same program with another key, or none.
  Client with(@Nullable String otherKey) {
    return new Client(base, otherKey);
  }

  Session create(String script) {
    return create(script, Map.of());
  }

  /// A session with something to work on beside its message.
  Session create(String script, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("agent_name", "shell");
    body.put("message", script);
    return new Session(this, post("/sessions", body).expect(201).json());
  }

  Answer get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  /// The bytes of an answer as they came.
  HttpResponse<byte[]> bytes(String path, String... headers) {
    return exchange(request("GET", path, null, headers), BodyHandlers.ofByteArray());
  }

  /// Sends a body of bytes, which no contract can judge, and repeats it as long as the answer is
  /// 429.
  Answer post(String path, byte[] body, String... headers) {
    return patiently(() ->
        exchange(
            HttpRequest.newBuilder(request("POST", path, "", headers), (name, value) -> true)
                .POST(BodyPublishers.ofByteArray(body))
                .build()));
  }

  Answer put(String path, Object body) {
    return send("PUT", path, text(body));
  }

  Answer post(String path, Object body, String... headers) {
    return send("POST", path, text(body), headers);
  }

  /// Sends a request as it stands, and repeats it as long as the answer is 429.
  Answer send(String method, String path, @Nullable String body, String... headers) {
    return patiently(() -> sendOnce(method, path, body, headers));
  }

  Answer sendOnce(String method, String path, @Nullable String body, String... headers) {
    HttpRequest request = request(method, path, body, headers);
    Answer answer = exchange(request);
    if (method.equals("POST") && path.equals("/sessions") && answer.status() == 201) {
      MADE.add(new Session(this, answer.json()));
    }
    Contract.check(base, request, body, answer);
    return answer;
  }

  /// The same whatever the contract says, as long as the answer is 429.
  Answer sendUnchecked(String method, String path) {
    return patiently(() -> exchange(request(method, path, null)));
  }

  private static Answer patiently(Supplier<Answer> request) {
    Answer answer = request.get();
    while (answer.status() == 429) {
      Await.pause(Duration.ofSeconds(Long.parseLong(answer.header("Retry-After"))));
      answer = request.get();
    }
    return answer;
  }

  private HttpRequest request(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(url(path)).timeout(Duration.ofSeconds(35));
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (key != null) {
      request.header("Authorization", "ApiKey " + key);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return request.build();
  }

  private static Answer exchange(HttpRequest request) {
    HttpResponse<String> response = exchange(request, BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.headers(), response.body());
  }

  /// Fetches a link as a browser would: no header of ours, the bytes as they come.
  static HttpResponse<byte[]> download(String url) {
    return exchange(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofByteArray());
  }

  /// Puts a file as any HTTP client does it: by the link of an upload, with the headers that came
  /// with it. The status of the answer.
  static int upload(JsonNode upload, String content) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(upload.path("url").asText()))
            .PUT(BodyPublishers.ofString(content));
    upload
        .path("headers")
        .properties()
        .forEach(header -> request.header(header.getKey(), header.getValue().asText()));
    return exchange(request.build(), BodyHandlers.discarding()).statusCode();
  }

  /// The text that an artifact's link leads to.
  static String content(JsonNode artifact) {
    HttpResponse<byte[]> download = download(artifact.path("url").asText());
    assertEquals(200, download.statusCode());
    return new String(download.body(), StandardCharsets.UTF_8);
  }

  static String text(Object body) {
    try {
      return Answer.JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  static String unknownId() {
    return UUID.randomUUID().toString();
  }

  private URI url(String path) {
    return URI.create(path.startsWith("/") ? base + path : path);
  }

  private static <T> HttpResponse<T> exchange(
      HttpRequest request, HttpResponse.BodyHandler<T> body) {
    try {
      return HTTP.send(request, body);
    } catch (IOException e) {
      throw new AssertionError(request + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(request + ": interrupted", e);
    }
  }
}
