package agentsessions.chaos.kills;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stop by Ctrl-C: running agents end, the service says that it has stopped, and the turns that
/// it broke off end as failed with that reason.
@Tag("chaos")
class StopTest {
  @TempDir private Path folder;

  @Test
  void aStopClosesWhatRunsAndSaysSo() throws Exception {
    try (ServiceProcess service = new ServiceProcess(folder, Map.of())) {
      service.await();
      ProcessMark mark = ProcessMark.fresh();
      String session = created(service, mark.sleep());
      until(service, "/sessions/" + session + "/threads", page -> status(page).equals("running"));

      // The agent would go on for ever: a stop that waited for it would never end.
      service.interrupt();
      await("the agent's end", Duration.ofSeconds(60), Duration.ofMillis(100))
          .until(() -> !mark.isRunning());
      String log = Files.readString(folder.resolve("service.log"));
      assertTrue(log.strip().endsWith("Stopped."), log);
      assertFalse(log.contains("WARN"), log);
      assertFalse(log.contains("ERROR"), log);

      service.restart();
      JsonNode thread =
          service.client().get("/sessions/" + session + "/threads").json().path("items").path(0);
      assertEquals("failed", thread.path("status").asText(), thread::toString);
      assertEquals(
          "The service was stopped before the agent could answer.",
          thread.path("error").path("message").asText());
      assertTrue(thread.path("error").path("retryable").asBoolean());
    }
  }

  private static String created(ServiceProcess service, String script) throws Exception {
    return service
        .client()
        .post("/sessions", Map.of("agent_name", "shell", "message", script))
        .json()
        .path("id")
        .asText();
  }

  private static String status(JsonNode page) {
    return page.path("items").path(0).path("status").asText();
  }

  private static void until(ServiceProcess service, String path, Predicate<JsonNode> reached)
      throws IOException {
    Client client = service.client();
    // A key has 100 requests a minute.
    await(path, Duration.ofSeconds(60), Duration.ofMillis(500))
        .until(() -> client.get(path).json(), reached);
  }
}
