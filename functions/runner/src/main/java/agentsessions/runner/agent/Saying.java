package agentsessions.runner.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a line of an agent's output says, once its rules have been applied.
sealed interface Saying {
  record Message(String text) implements Saying {}

  /// A tool call that starts.
  ///
  /// @param id the agent's own, if it has one
  /// @param outcome there if the agent tells of a call only when it is over
  record Call(@Nullable String id, String name, @Nullable JsonNode input, Optional<Outcome> outcome)
      implements Saying {}

  /// The end of a tool call that has been told before.
  record CallEnd(String id, Outcome outcome) implements Saying {}

  /// How a tool call ended.
  ///
  /// @param millis how long the call took, if the agent says so
  record Outcome(boolean failed, OptionalLong millis) {}
}
