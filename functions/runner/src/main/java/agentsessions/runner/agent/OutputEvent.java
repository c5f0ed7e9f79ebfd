package agentsessions.runner.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A message or tool call that the rules of the catalogue found in a line of an agent's output.
sealed interface OutputEvent {
  record Message(String text) implements OutputEvent {}

  /// A tool call that starts.
  ///
  /// @param id the agent's own, if it has one
  /// @param outcome present if the agent reports a call only when it has ended
  record Call(@Nullable String id, String name, @Nullable JsonNode input, Optional<Outcome> outcome)
      implements OutputEvent {}

  /// The end of a tool call whose start was reported before.
  record CallEnd(String id, Outcome outcome) implements OutputEvent {}

  /// The outcome of a tool call.
  ///
  /// @param refused whether the agent itself refused the call, so that nothing has run
  /// @param millis the duration of the call, if the agent reports it
  record Outcome(boolean failed, boolean refused, OptionalLong millis) {}
}
