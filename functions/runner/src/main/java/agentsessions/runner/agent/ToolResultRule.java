package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.Wildcard;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A catalogue rule for the outcome and duration of a tool call in a line of output. Times are
/// epoch milliseconds; without them the duration is the time between the two lines.
///
/// @param failed the condition that a failed call meets
/// @param refused texts of a failed call that the agent itself refused, of which one is enough:
///   JSON pointers and what stands there, where a star stands for any text
/// @param exit JSON pointer to a command's exit status: anything but 0 is a failure
/// @param began JSON pointer to the start time
/// @param ended JSON pointer to the end time
record ToolResultRule(
    @Nullable JsonCondition failed,
    List<Map<String, String>> refused,
    @Nullable String exit,
    @Nullable String began,
    @Nullable String ended) {
  static final ToolResultRule GOOD = new ToolResultRule(null, List.of(), null, null, null);

  ToolResultRule {
    refused = requireNonNullElse(refused, List.of());
  }

  OutputEvent.Outcome outcome(JsonNode node) {
    boolean isFailed = isFailed(node);
    return new OutputEvent.Outcome(isFailed, isFailed && isRefused(node), millis(node));
  }

  private boolean isFailed(JsonNode node) {
    return (failed != null && failed.matches(node)) || (exit != null && node.at(exit).asInt() != 0);
  }

  private boolean isRefused(JsonNode node) {
    return refused.stream()
        .anyMatch(texts ->
            texts.entrySet().stream()
                .allMatch(text ->
                    Json.text(node, text.getKey())
                        .filter(Wildcard.of(text.getValue())::matches)
                        .isPresent()));
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
