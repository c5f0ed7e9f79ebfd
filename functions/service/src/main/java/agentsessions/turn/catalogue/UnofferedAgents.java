package agentsessions.turn.catalogue;

import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The reasons why agents of the catalogue are not offered. A machine knows what its agents lack
/// (setting `OBSTACLES`: a line for each, its name before the first space); a deployment on AWS
/// only knows which agents it was told to offer.
@Singleton
public final class UnofferedAgents {
  private final AgentCatalogue catalogue;
  private final Map<String, String> obstacles;

  UnofferedAgents(
      AgentCatalogue catalogue, @Property(name = "obstacles", defaultValue = "") String obstacles) {
    this.catalogue = catalogue;
    this.obstacles =
        obstacles
            .lines()
            .map(line -> line.split(" ", 2))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  /// The reason for one agent; empty where there is no such agent, or it is offered.
  public Optional<String> reason(String agent) {
    if (!catalogue.has(agent) || catalogue.find(agent).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        obstacles.getOrDefault(
            agent, "the operator has not chosen it, or nothing here may run it"));
  }

  /// The reasons for all agents that are not offered, by their names, in the catalogue's order.
  public Map<String, String> reasons() {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String name : catalogue.names()) {
      reason(name).ifPresent(why -> reasons.put(name, why));
    }
    return reasons;
  }
}
