package agentsessions.local.steps;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The deployed state machines: the one of turns, and the one of exports.
public record StateMachines(StateMachine turn, StateMachine export) {
  /// Reads both from YAML.
  ///
  /// @throws IllegalArgumentException with the place of whatever the engine does not support
  public static StateMachines read(String turn, String export) {
    return new StateMachines(named(turn, "TurnSteps"), named(export, "Export"));
  }

  /// Functions keep the names of their placeholders.
  private static StateMachine named(String text, String... functions) {
    return StateMachine.read(
        text, Stream.of(functions).collect(Collectors.toMap(name -> name, name -> name)));
  }
}
