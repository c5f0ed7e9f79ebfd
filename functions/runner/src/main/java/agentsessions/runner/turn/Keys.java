package agentsessions.runner.turn;

import agentsessions.runner.agent.AgentEntry;
import java.util.Map;
import java.util.Optional;

/// Who has the models' keys where the runner has none: a {@link KeyContainer} beside it.
///
/// @param secret which that one asks for; no agent may know it
public record Keys(String at, String secret) {

  /// As `KEYS_AT` and `TASK_SECRET` have it; nothing where the runner has the keys itself.
  public static Optional<Keys> of(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("KEYS_AT"))
        .map(at -> new Keys(at, environment.getOrDefault("TASK_SECRET", "")));
  }

  /// The way to an agent's model, which needs no key.
  public AgentEntry.Model way(AgentEntry.Model model, String agent) {
    return model.at("%s/%s/%s".formatted(at, secret, agent));
  }

  @Override
  public String toString() {
    return "keys at " + at;
  }
}
