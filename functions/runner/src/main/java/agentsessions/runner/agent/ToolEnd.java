package agentsessions.runner.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// How a line says what became of a tool call. Times are epoch milliseconds; an agent that does not
/// tell them is timed by its lines.
///
/// @param failed what it has if the call failed
/// @param exit where the exit status of a command is: anything but 0 is a failure
/// @param began where the time is at which the call began
/// @param ended where the time is at which the call ended
record ToolEnd(
    @Nullable Where failed, @Nullable String exit, @Nullable String began, @Nullable String ended) {
  static final ToolEnd GOOD = new ToolEnd(null, null, null, null);

  Saying.Outcome outcome(JsonNode node) {
    return new Saying.Outcome(isFailed(node), millis(node));
  }

  private boolean isFailed(JsonNode node) {
    return (failed != null && failed.matches(node)) || (exit != null && node.at(exit).asInt() != 0);
  }

  private OptionalLong millis(JsonNode node) {
    if (began == null
        || ended == null
        || !node.at(began).isNumber()
        || !node.at(ended).isNumber()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Math.max(0, node.at(ended).asLong() - node.at(began).asLong()));
  }
}
