package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a service none of whose agents can run: it reports that, with the reasons for callers
/// with a key.
@Tag("service") // in a process of their own: a process holds one service at a time
class WithoutAgentsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WHY = "its command no-such-command is not installed";
  private static final String CATALOGUE =
      "absent: {description: Nobody., command: [no-such-command], reply: {from: stdout}}\n";

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalService service;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    Path catalogue = Files.writeString(folder.resolve("agents.yaml"), CATALOGUE);
    Map<String, Object> settings = Map.of(Settings.AGENTS_FILE, catalogue.toString());
    Path data = folder.resolve("data");
    service = LocalService.start(new Settings(0, 0, data, Optional.empty(), settings));
  }

  @AfterEach
  void stop() {
    service.close();
    http.close();
  }

  @Test
  void itIsDegradedAndTellsTheReasonToWhoHasAKey() throws Exception {
    HttpResponse<String> health = send(request("/health").GET());
    assertEquals(200, health.statusCode());
    assertEquals("degraded", JSON.readTree(health.body()).path("status").asText());
    assertFalse(health.body().contains(WHY), health::body);

    JsonNode agents = JSON.readTree(send(keyed("/agents").GET()).body());
    assertEquals(0, agents.path("items").size());
    assertEquals("absent", agents.at("/not_offered/0/name").asText());
    assertEquals(WHY, agents.at("/not_offered/0/reason").asText());

    String body = JSON.writeValueAsString(Map.of("agent_name", "absent", "message", "hi"));
    HttpResponse<String> refused = send(keyed("/sessions").POST(BodyPublishers.ofString(body)));
    assertEquals(422, refused.statusCode());
    assertTrue(refused.body().contains("no agent can run here now"), refused::body);
  }

  private HttpRequest.Builder keyed(String path) {
    return request(path)
        .header("Authorization", "ApiKey " + service.localKey())
        .header("Content-Type", "application/json");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.baseUrl() + "/rest/v1" + path))
        .timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
