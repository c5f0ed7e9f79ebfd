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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of turns that wait, here for the only place of a runner.
@Tag("service") // in a process of their own: a process holds one service at a time
class FairTurnsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(700);
  private static final int WAITING = 30;

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalService service;

  @BeforeEach
  void start(@TempDir Path data) {
    service =
        LocalService.start(
            new Settings(0, 0, data, Optional.empty(), Map.of(Settings.RUNNER_PLACES, 1)));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  @Test
  void aTurnOfAnotherWorkspaceIsNextHoweverManyWaitBeforeIt() throws Exception {
    Caller crowd = new Caller(service.createKey("crowd"));
    Caller bystander = new Caller(service.createKey("bystander"));
    JsonNode holder = crowd.create(ProcessMark.fresh().sleep());
    crowd.until(holder, "running");
    List<JsonNode> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(crowd.create("echo done"));
    }
    JsonNode beside = bystander.create("echo done");
    assertEquals("queued", status(bystander.turn(beside)));

    String interrupt = "/sessions/" + waiting.getFirst().path("id").asText() + "/interrupt";
    assertEquals(200, crowd.post(interrupt, "").statusCode());
    assertEquals("cancelled", status(crowd.turn(waiting.removeFirst())));
    crowd.post("/sessions/" + holder.path("id").asText() + "/interrupt", "");

    Instant served = ended(bystander.until(beside, "completed"));
    long before = 0;
    for (JsonNode one : waiting) {
      before += ended(crowd.until(one, "completed")).isBefore(served) ? 1 : 0;
    }
    // The place may be given, on a slow machine more than once, before the bystander's turn has
    // come
    // to the queue.
    assertTrue(before < WAITING / 3, before + " were served before");
  }

  private static String status(JsonNode turn) {
    return turn.at("/thread/status").asText();
  }

  private static Instant ended(JsonNode turn) {
    return Instant.parse(turn.at("/thread/ended_at").asText());
  }

  /// A client with the key of a workspace.
  private final class Caller {
    private final String key;

    Caller(String key) {
      this.key = key;
    }

    JsonNode create(String message) throws Exception {
      String body = JSON.writeValueAsString(Map.of("agent_name", "shell", "message", message));
      HttpResponse<String> answer = post("/sessions", body);
      assertEquals(201, answer.statusCode(), answer::body);
      return JSON.readTree(answer.body());
    }

    JsonNode turn(JsonNode session) throws Exception {
      URI link = URI.create(session.at("/_links/final_message/href").asText());
      return JSON.readTree(send(HttpRequest.newBuilder(link).GET()).body());
    }

    JsonNode until(JsonNode session, String status) {
      return eventually(PAUSE, () -> turn(session), turn -> status(turn).equals(status));
    }

    HttpResponse<String> post(String path, String body) throws Exception {
      URI url = URI.create(service.baseUrl() + "/rest/v1" + path);
      return send(HttpRequest.newBuilder(url).POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
      return http.send(
          request
              .timeout(Duration.ofSeconds(60))
              .header("Authorization", "ApiKey " + key)
              .header("Content-Type", "application/json")
              .build(),
          BodyHandlers.ofString());
    }
  }
}
