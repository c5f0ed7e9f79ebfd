package agentsessions.agents;

import static agentsessions.talk.Await.await;

import agentsessions.agents.model.ModelServer;
import agentsessions.talk.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A container of the service's image as `infra/compose.yaml` describes it, and its volume. Real
/// agents ask the scripted model.
///
/// @param name the name of both
/// @param port the port of its API on this machine
record ServiceContainer(String name, int port, ModelServer model) implements AutoCloseable {
  private static final String STARTER = "../../.ci/lib/service-container";

  /// The folder from which it takes what no image may hold.
  private static final String FROM = System.getenv("SERVICE_FROM") + ":/from:ro";

  static ServiceContainer start() {
    String name = "agent-sessions-proof-" + ProcessHandle.current().pid();
    ServiceContainer container = new ServiceContainer(name, freePort(), ModelServer.start());
    container.begin();
    return container;
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Removes the container and starts another one on the same volume.
  void replace() {
    String _ = output("docker", "stop", name);
    String _ = output("docker", "rm", name);
    begin();
  }

  private void begin() {
    Instant began = Instant.now();
    List<String> line = new ArrayList<>(List.of(STARTER, name, String.valueOf(port)));
    line.addAll(List.of("--volume", FROM, "--env", "AGENTS=" + System.getenv("SERVICE_AGENTS")));
    line.addAll(List.of("--env", "ANTHROPIC_API_KEY=" + ModelServer.KEY));
    line.addAll(List.of("--env", "ANTHROPIC_BASE_URL=" + model.url()));
    String _ = output(line.toArray(String[]::new));
    String _ =
        await("a healthy service", Duration.ofMinutes(4), Duration.ofMillis(100))
            .until(
                () -> output("docker", "exec", name, "sh", "-c", healthCheck()), String::isEmpty);
    System.err.printf(
        "The container serves after %d ms.%n", Duration.between(began, Instant.now()).toMillis());
  }

  private String healthCheck() {
    return "curl -fsS -o /dev/null http://127.0.0.1:%d/rest/v1/health 2>&1".formatted(port);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /// A client with the key that a link for the console signs in with.
  Client signedIn() {
    String link = run("scripts/keys", "sign-in");
    Map<String, String> code = Map.of("code", link.substring(link.indexOf('=') + 1));
    String key =
        Client.of(url(), List.of()).post("/console/sign-in", code).ok().path("key").asText();
    return Client.of(url(), List.of(key)).patient();
  }

  /// The output of a command in the container.
  String run(String... words) {
    List<String> line = new ArrayList<>(List.of("docker", "exec", name));
    line.addAll(List.of(words));
    return output(line.toArray(String[]::new));
  }

  String log() {
    return output("docker", "logs", name);
  }

  @Override
  public void close() {
    String _ = output("docker", "rm", "--force", name);
    String _ = output("docker", "volume", "rm", name);
    model.close();
  }

  private static String output(String... words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
