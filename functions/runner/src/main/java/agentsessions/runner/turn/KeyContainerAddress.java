package agentsessions.runner.turn;

import agentsessions.runner.agent.AgentEntry;
import java.util.Map;
import java.util.Optional;

/// The address of the {@link KeyContainer} that adds the models' keys, for a runner that has none.
///
/// @param secret that each request to it must carry; no agent may know it
public record KeyContainerAddress(String at, String secret) {

  /// Reads `KEYS_AT` and `TASK_SECRET`; empty if the runner has the keys itself.
  public static Optional<KeyContainerAddress> of(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("KEYS_AT"))
        .map(at -> new KeyContainerAddress(at, environment.getOrDefault("TASK_SECRET", "")));
  }

  /// The agent's model behind the key container, which needs no key.
  public AgentEntry.Model model(AgentEntry.Model model, String agent) {
    return model.at("%s/%s/%s".formatted(at, secret, agent));
  }

  @Override
  public String toString() {
    return "keys at " + at;
  }
}
