package agentsessions.runner.start;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.network.model.KeyProxy;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The key proxy of a task, in a container of its own: it has the models' keys, so that the
/// runner's container, in which agents run, needs none. Neither sees the other's processes or
/// files; they share the loopback interface only.
public final class KeyContainer {
  private static final Logger LOG = LoggerFactory.getLogger(KeyContainer.class);
  private static final int PORT = 9009;

  /// The shortest secret; an agent could guess a shorter one.
  private static final int LEAST_SECRET = 16;

  private KeyContainer() {}

  /// Serves until the process is ended.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    try (KeyProxy proxy = open(PORT, System.getenv())) {
      LOG.info("keys at port {}", proxy.port());
      new CountDownLatch(1).await();
    }
  }

  /// Reads the environment: `TASK_SECRET`, which each caller must send; `AGENTS_FILE`, the
  /// catalogue; and the variables that its entries name, which may also be in `MODEL_KEYS`, a JSON
  /// object.
  ///
  /// @param port of loopback; 0: any that is free
  static KeyProxy open(int port, Map<String, String> environment) throws IOException {
    String secret = environment.getOrDefault("TASK_SECRET", "");
    if (secret.length() < LEAST_SECRET) {
      throw new IllegalArgumentException("TASK_SECRET is not set, or too short");
    }
    Path file = Path.of(Objects.requireNonNull(environment.get("AGENTS_FILE"), "AGENTS_FILE"));
    return KeyProxy.open(port, secret, models(file, withKeys(environment)));
  }

  private static Map<String, String> withKeys(Map<String, String> environment) throws IOException {
    String keys = environment.getOrDefault("MODEL_KEYS", "");
    if (keys.isEmpty()) {
      return environment;
    }
    Map<String, String> all = new HashMap<>(environment);
    JsonNode named = Json.parse(keys).filter(JsonNode::isObject).orElse(null);
    if (named == null) {
      throw new IllegalArgumentException("MODEL_KEYS is no JSON object");
    }
    named.properties().forEach(key -> all.put(key.getKey(), key.getValue().asText()));
    return all;
  }

  /// An entry with a missing key is left out: its agent cannot run.
  private static Map<String, AgentEntry.Model> models(Path file, Map<String, String> environment)
      throws IOException {
    Map<String, AgentEntry.Model> models = new LinkedHashMap<>();
    for (Map.Entry<String, Object> named : catalogue(file).entrySet()) {
      AgentEntry.Model model = Json.MAPPER.convertValue(named.getValue(), AgentEntry.class).model();
      if (model == null) {
        continue;
      }
      try {
        models.put(named.getKey(), model.filled(environment));
      } catch (TurnFailed incomplete) {
        LOG.warn("{}: {}", named.getKey(), incomplete.getMessage());
      }
    }
    return models;
  }

  private static Map<String, Object> catalogue(Path file) throws IOException {
    try (InputStream text = Files.newInputStream(file)) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    }
  }
}
