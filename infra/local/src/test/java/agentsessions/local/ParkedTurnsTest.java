package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of turns that are parked while the service is stopped and started again: a person decides
/// afterwards, and the turn goes on.
@Tag("service") // in a process of their own: a process holds one service at a time
class ParkedTurnsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(700);

  @TempDir private Path data;
  private final HttpClient http = HttpClient.newHttpClient();
  private LocalService service;

  @BeforeEach
  void start() {
    service = LocalService.start(new Settings(0, 0, data, Optional.empty(), Map.of()));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  @Test
  void whatIsAllowedAfterARestartRunsOnce() throws Exception {
    String session = parked();
    restart();
    assertEquals("requires_action", thread(session).path("status").asText());
    decide(session, "allow");
    assertEquals("completed", ended(session).path("status").asText());
    assertEquals(List.of("ran"), Files.readAllLines(ran(session)));
  }

  @Test
  void whatIsDeniedAfterARestartDoesNotRun() throws Exception {
    String session = parked();
    restart();
    decide(session, "deny");
    assertEquals("AGENT_FAILED", ended(session).at("/error/code").asText());
    assertFalse(Files.exists(ran(session)));
  }

  /// A session whose turn is parked: only then has an unfinished turn a time of its agent.
  private String parked() throws Exception {
    Map<String, Object> permissions = Map.of("default", "ask", "hold_seconds", 0);
    Map<String, Object> body =
        Map.of("agent_name", "shell", "message", "echo ran >>ran", "permissions", permissions);
    String session = "/sessions/" + post("/sessions", body, 201).path("id").asText();
    JsonNode _ =
        eventually(
            PAUSE,
            () -> thread(session),
            thread -> thread.at("/usage/active_seconds").asDouble() > 0);
    return session;
  }

  private void restart() {
    service.close();
    start();
  }

  private void decide(String session, String word) throws Exception {
    JsonNode request = get("/requests?session_id=" + id(session)).at("/items/0");
    String path = session + "/requests/" + request.path("id").asText() + "/decision";
    JsonNode _ = post(path, Map.of("decision", word), 200);
  }

  private JsonNode ended(String session) throws Exception {
    return eventually(PAUSE, () -> thread(session), thread -> !thread.path("ended_at").isNull());
  }

  private Path ran(String session) {
    return data.resolve("sandboxes").resolve(id(session)).resolve("work").resolve("ran");
  }

  private static String id(String session) {
    return session.substring(session.lastIndexOf('/') + 1);
  }

  private JsonNode thread(String session) throws Exception {
    return get(session + "/threads").at("/items/0");
  }

  private JsonNode get(String path) throws Exception {
    return send(request(path).GET(), 200);
  }

  private JsonNode post(String path, Map<String, Object> body, int expected) throws Exception {
    return send(
        request(path).POST(BodyPublishers.ofString(JSON.writeValueAsString(body))), expected);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.baseUrl() + "/rest/v1" + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "ApiKey " + service.localKey())
        .header("Content-Type", "application/json");
  }

  private JsonNode send(HttpRequest.Builder request, int expected) throws Exception {
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    assertEquals(expected, answer.statusCode(), answer::body);
    return JSON.readTree(answer.body());
  }
}
