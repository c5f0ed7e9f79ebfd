package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a runner that is killed during a turn: the end of its process is noticed, so the turn
/// need not wait for the end of a lease.
@Tag("service") // in a process of their own: a process holds one service at a time
class KilledRunnerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(500);

  /// The duration of a lease: longer than any wait of this test.
  private static final int SECONDS = 600;

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalService service;

  @BeforeEach
  void start(@TempDir Path data) {
    Map<String, Object> settings = Map.of("lease.seconds", SECONDS);
    service = LocalService.start(new Settings(0, 0, data, Optional.empty(), settings));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  @Test
  void theTurnOfAKilledRunnerDoesNotWaitForTheEndOfItsLease() throws Exception {
    Map<String, String> message =
        Map.of("agent_name", "shell", "message", ProcessMark.fresh().sleep());
    JsonNode sent =
        send(request("/sessions").POST(BodyPublishers.ofString(JSON.writeValueAsString(message))));
    String thread =
        "/sessions/%s/threads/%s"
            .formatted(sent.path("id").asText(), sent.path("thread_id").asText());
    eventually(PAUSE, () -> get(thread), now -> now.path("status").asText().equals("running"));
    for (long pid : service.runnerPids()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
    JsonNode ended =
        eventually(PAUSE, () -> get(thread), now -> !now.path("status").asText().equals("running"));
    assertEquals("failed", ended.path("status").asText());
    assertEquals("RUNNER_LOST", ended.at("/error/code").asText());
  }

  private JsonNode get(String path) throws Exception {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.baseUrl() + "/rest/v1" + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "ApiKey " + service.localKey())
        .header("Content-Type", "application/json");
  }

  private JsonNode send(HttpRequest.Builder request) throws Exception {
    return JSON.readTree(http.send(request.build(), BodyHandlers.ofString()).body());
  }
}
