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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the limit of live turns, here two for a workspace: refusals, their order, and turns
/// that do not count.
@Tag("service") // in a process of their own: a process holds one service at a time
class LiveTurnsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String LONG = ProcessMark.fresh().sleep();

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalService service;

  @BeforeEach
  void start(@TempDir Path data) {
    String[] options = {"--port", "0", "--max-live-turns", "2", "--data", data.toString()};
    service =
        LocalService.start(
            Main.settings(
                Main.command().parseArgs(options).commandSpec().commandLine().getCommand()));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  @Test
  void whoAsksForAnAgentThatIsMissingHearsWhatItLacks() throws Exception {
    for (AgentAvailability agent : service.availability()) {
      if (agent instanceof AgentAvailability.Missing missing) {
        HttpResponse<String> answer =
            send(
                request("/sessions")
                    .POST(json(Map.of("agent_name", missing.name(), "message", "hi"))));
        assertEquals(422, answer.statusCode());
        String why = missing.name() + " is not offered here: " + missing.obstacle();
        assertTrue(answer.body().contains(why), answer::body);
      }
    }
  }

  @Test
  void theThirdLiveTurnIsRefusedAfterAllElseAndChangesNothing() throws Exception {
    String idle = path(created("echo done", "-"));
    eventually(PAUSE, () -> get(idle), session -> session.path("status").asText().equals("idle"));
    String working = path(created(LONG, "first"));
    created(LONG, "-");

    refused(create(LONG, "second"));
    refused(create("echo a follow-up of none", "-"));
    assertEquals(422, create(" ", "-").statusCode());
    HttpResponse<String> replay = create(LONG, "first");
    assertEquals(201, replay.statusCode());
    assertEquals("true", replay.headers().firstValue("Idempotent-Replayed").orElse(""));
    assertEquals(404, say("/sessions/" + UUID.randomUUID(), Map.of("message", "hi")).statusCode());
    Map<String, String> changed =
        Map.of("message", "hi", "if_thread_id", UUID.randomUUID().toString());
    assertEquals("THREAD_CHANGED", JSON.readTree(say(idle, changed).body()).path("code").asText());
    refused(say(idle, Map.of("message", "hi")));
    assertEquals(2, get(idle + "/messages").path("items").size());

    assertEquals(201, say(working, Map.of("message", LONG)).statusCode());
    refused(say(idle, Map.of("message", "hi")));

    assertEquals(
        200, send(request(working + "/interrupt").POST(BodyPublishers.noBody())).statusCode());
    assertEquals(201, create(LONG, "second").statusCode());
    refused(say(idle, Map.of("message", "hi")));
  }

  private static void refused(HttpResponse<String> answer) throws IOException {
    JsonNode problem = JSON.readTree(answer.body());
    assertEquals(429, answer.statusCode(), answer::body);
    assertEquals("TOO_MANY_TURNS", problem.path("code").asText());
    assertTrue(problem.path("message").asText().contains("2 live turns"), answer::body);
    assertEquals("30", answer.headers().firstValue("Retry-After").orElse(""));
  }

  private JsonNode created(String message, String key) throws Exception {
    HttpResponse<String> answer = create(message, key);
    assertEquals(201, answer.statusCode(), answer::body);
    return JSON.readTree(answer.body());
  }

  /// @param key the `Idempotency-Key`, or `-` for none
  private HttpResponse<String> create(String message, String key) throws Exception {
    Map<String, String> body = Map.of("agent_name", "shell", "message", message);
    HttpRequest.Builder request = request("/sessions").POST(json(body));
    return send(key.equals("-") ? request : request.header("Idempotency-Key", key));
  }

  private HttpResponse<String> say(String session, Map<String, String> body) throws Exception {
    return send(request(session + "/messages").POST(json(body)));
  }

  private static String path(JsonNode session) {
    return "/sessions/" + session.path("id").asText();
  }

  private JsonNode get(String path) throws Exception {
    return JSON.readTree(send(request(path).GET()).body());
  }

  private static HttpRequest.BodyPublisher json(Map<String, String> body) throws IOException {
    return BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.baseUrl() + "/rest/v1" + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "ApiKey " + service.localKey())
        .header("Content-Type", "application/json");
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
