package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests of the two listeners' addresses and settings.
class ServiceListenersTest {
  @Test
  void runnersHaveADoorOfTheirOwn() {
    try (ServiceListeners listeners = ServiceListeners.open(settings(Map.of()))) {
      URI runners = listeners.runnerUrl();
      assertNotEquals(listeners.url(), runners);
      assertEquals(runners.toString(), listeners.settings().get("runner.address"));
      assertEquals(List.of(listeners.url().getPort(), runners.getPort()), listeners.ports());
    }
  }

  /// The service must know its own ports, since webhooks must not reach them.
  @Test
  void behindAnotherServerItIsKnownWhereTheyAre() {
    Map<String, Object> others =
        Map.of(Settings.HOST, "127.0.0.1", Settings.PUBLIC_URL, "https://agents.example");
    try (ServiceListeners listeners = ServiceListeners.open(settings(others))) {
      assertEquals(listeners.runnerUrl().toString(), listeners.settings().get("runner.address"));
      assertEquals(2, listeners.ports().stream().filter(port -> port > 0).distinct().count());
    }
  }

  private static Settings settings(Map<String, Object> chosen) {
    return new Settings(0, 0, Path.of("data"), Optional.empty(), chosen);
  }
}
