package agentsessions.local;

import java.util.List;
import java.util.stream.Collectors;

/// An agent of the catalogue and its availability on this machine.
sealed interface AgentAvailability {
  String name();

  /// An agent that sessions can use.
  ///
  /// @param unset variables that it needs and that are not set: its turns will fail with that
  ///   reason
  record Offered(String name, List<String> unset) implements AgentAvailability {}

  /// An agent that cannot run here.
  ///
  /// @param obstacle the reason, for people
  record Missing(String name, String obstacle) implements AgentAvailability {}

  /// The reasons of the missing agents, one line each.
  static String obstacles(List<AgentAvailability> availability) {
    return availability.stream()
        .filter(Missing.class::isInstance)
        .map(Missing.class::cast)
        .map(missing -> missing.name() + " " + missing.obstacle())
        .collect(Collectors.joining("\n"));
  }

  /// The names of the offered agents.
  static List<String> offeredNames(List<AgentAvailability> availability) {
    return availability.stream()
        .filter(Offered.class::isInstance)
        .map(AgentAvailability::name)
        .toList();
  }
}
