package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole service with sandboxes kept as on Lambda: in the bucket, with nothing left on the
/// machine between turns.
@Tag("service") // in a process of their own: a process holds one service at a time
class KeptAsObjectsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(200);

  /// The duration of a lease, whose end a lost sandbox waits for.
  private static final int SECONDS = 12;

  @TempDir Path data;
  private LocalService service;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() {
    Map<String, Object> settings = Map.of(Settings.SANDBOXES, "objects", "lease.seconds", SECONDS);
    service = LocalService.start(new Settings(0, 0, data, Optional.empty(), settings));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void whatATurnLeavesIsInTheNextAndIsThereBeforeItBegins() throws Exception {
    String message = "head -c 80000000 /dev/urandom > big; sha256sum big > sum; echo done";
    JsonNode first =
        post("/sessions", Map.of("agent_name", "shell", "message", message)).path("_links");
    String session = first.at("/self/href").asText();
    assertEquals("done", reply(first));
    JsonNode second =
        post(session + "/messages", Map.of("message", "sha256sum -c sum")).path("_links");
    assertEquals("big: OK", reply(second));
    thread(second, thread -> thread.path("sandbox").asText().equals("saved"));
    assertEquals(
        List.of("saved", "saved"),
        get(session + "/threads")
            .path("items")
            .valueStream()
            .map(thread -> thread.path("sandbox").asText())
            .toList());
    assertEquals(1, snapshots(), "the one before is gone");
    try (Stream<Path> left = Files.walk(data.resolve("sandboxes"))) {
      assertTrue(left.noneMatch(path -> path.endsWith("big")), "nothing stays on the machine");
    }
  }

  @Test
  void aKilledRunnersSandboxIsLostAndTheNextTurnSaysSo() throws Exception {
    JsonNode first =
        post("/sessions", Map.of("agent_name", "shell", "message", "echo one > file; echo done"))
            .path("_links");
    String session = first.at("/self/href").asText();
    thread(first, thread -> thread.path("sandbox").asText().equals("saved"));
    ProcessMark mark = ProcessMark.fresh();
    JsonNode second =
        post(session + "/messages", Map.of("message", "echo two > file; " + mark.sleep()))
            .path("_links");
    boolean _ = eventually(mark::isRunning, running -> running);
    for (long pid : service.runnerPids()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
    JsonNode third = post(session + "/messages", Map.of("message", "cat file")).path("_links");
    assertEquals("one", reply(third));
    thread(second, thread -> thread.path("sandbox").asText().equals("lost"));
    assertTrue(
        get(third.at("/thread/href").asText() + "/messages").toString().contains("not be saved"));
  }

  private long snapshots() throws IOException {
    try (Stream<Path> objects = Files.walk(data.resolve("objects"))) {
      return objects
          .filter(path -> path.toString().contains("/sandboxes/") && Files.isRegularFile(path))
          .count();
    }
  }

  /// The reply to a message, by the links of the response.
  private String reply(JsonNode links) {
    String href = links.at("/final_message/href").asText();
    return await(href, page -> !page.path("items").isEmpty()).at("/items/0/message").asText();
  }

  private void thread(JsonNode links, Predicate<JsonNode> condition) {
    JsonNode _ = await(links.at("/thread/href").asText(), condition);
  }

  /// Polls with a key of its own, since a key is limited to a hundred requests a minute.
  private JsonNode await(String href, Predicate<JsonNode> condition) {
    String key = service.createKey(LocalService.WORKSPACE);
    return Awaitility.await(href)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(PAUSE)
        .until(() -> send(request(href, key).GET()), condition);
  }

  private JsonNode get(String path) throws Exception {
    return send(request(path, service.localKey()).GET());
  }

  private JsonNode post(String path, Map<String, String> body) throws Exception {
    return send(
        request(path, service.localKey())
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
  }

  private HttpRequest.Builder request(String path, String key) {
    URI url = path.startsWith("http") ? URI.create(path) : api(path);
    return HttpRequest.newBuilder(url)
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "ApiKey " + key)
        .header("Content-Type", "application/json");
  }

  private URI api(String path) {
    return URI.create(service.baseUrl() + "/rest/v1" + path);
  }

  private JsonNode send(HttpRequest.Builder request) throws Exception {
    String body = http.send(request.build(), BodyHandlers.ofString()).body();
    return JSON.readTree(body);
  }
}
