package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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

  private static final int TURNS = 8;

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
        send(
            request("/sessions", service.localKey())
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(message))));
    String thread =
        "/sessions/%s/threads/%s"
            .formatted(sent.path("id").asText(), sent.path("thread_id").asText());
    eventually(PAUSE, () -> get(thread), now -> now.path("status").asText().equals("running"));
    kill();
    JsonNode ended =
        eventually(PAUSE, () -> get(thread), now -> !now.path("status").asText().equals("running"));
    assertEquals("failed", ended.path("status").asText());
    assertEquals("RUNNER_LOST", ended.at("/error/code").asText());
  }

  @Test
  void eightTurnsOfAKilledRunnerAreLostAndTheNextEightAreAnswered() throws Exception {
    List<ProcessMark> marks = Stream.generate(ProcessMark::fresh).limit(TURNS).toList();
    List<Talk> lost = new ArrayList<>();
    for (ProcessMark mark : marks) {
      lost.add(new Talk(mark.sleep()));
    }
    for (ProcessMark mark : marks) {
      boolean _ = eventually(PAUSE, mark::isRunning, running -> running);
    }
    assertEquals(1, service.runnerPids().size(), "one process runs them all");
    kill();
    List<Talk> next = new ArrayList<>();
    for (Talk talk : lost) {
      next.add(new Talk("echo here"));
      assertEquals("RUNNER_LOST", talk.end().at("/error/code").asText());
    }
    for (Talk talk : next) {
      assertEquals("completed", talk.end().path("status").asText());
    }
    assertTrue(marks.stream().noneMatch(ProcessMark::isRunning));
  }

  private void kill() {
    for (long pid : service.runnerPids()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /// A session that was sent a message, with a key of its own, since a key is limited to a hundred
  /// requests a minute.
  private final class Talk {
    private final String key = service.createKey("local");
    private final String thread;

    private Talk(String message) throws Exception {
      Map<String, String> body = Map.of("agent_name", "shell", "message", message);
      JsonNode sent =
          send(
              request("/sessions", key)
                  .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
      thread =
          "/sessions/%s/threads/%s"
              .formatted(sent.path("id").asText(), sent.path("thread_id").asText());
    }

    private JsonNode end() {
      return eventually(
          PAUSE,
          () -> send(request(thread, key).GET()),
          now -> Set.of("completed", "failed").contains(now.path("status").asText()));
    }
  }

  private JsonNode get(String path) throws Exception {
    return send(request(path, service.localKey()).GET());
  }

  private HttpRequest.Builder request(String path, String key) {
    return HttpRequest.newBuilder(URI.create(service.baseUrl() + "/rest/v1" + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "ApiKey " + key)
        .header("Content-Type", "application/json");
  }

  private JsonNode send(HttpRequest.Builder request) throws Exception {
    return JSON.readTree(http.send(request.build(), BodyHandlers.ofString()).body());
  }
}
