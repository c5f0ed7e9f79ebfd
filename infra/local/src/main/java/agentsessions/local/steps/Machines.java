package agentsessions.local.steps;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The state machines that are deployed: the way of a turn, and the building of an export.
public record Machines(StateMachine turn, StateMachine export) {
  /// Reads them.
  ///
  /// @throws IllegalArgumentException naming the place, for everything the engine does not know
  public static Machines read(String turn, String export) {
    return new Machines(named(turn, "TurnSteps"), named(export, "Export"));
  }

  /// Functions go by the names that stand for them.
  private static StateMachine named(String text, String... functions) {
    return StateMachine.read(
        text, Stream.of(functions).collect(Collectors.toMap(name -> name, name -> name)));
  }
}
