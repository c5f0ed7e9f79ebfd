package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A catalogue rule for where an agent leaves its reply, or its error message.
///
/// @param pointer into the JSON value, or the line, that `where` matches
/// @param empty the text to use if an agent that ended well left none; null: that is a failure
public record TextRule(From from, JsonCondition where, String pointer, @Nullable String empty) {
  static final TextRule STDOUT = new TextRule(From.STDOUT, JsonCondition.ANYTHING, "", null);

  public TextRule {
    where = requireNonNullElse(where, JsonCondition.ANYTHING);
    pointer = requireNonNullElse(pointer, "");
  }

  public enum From {
    STDOUT,
    FILE,
    JSON,
    JSONL,
    MESSAGES
  }

  boolean readsLines() {
    return from == From.JSONL;
  }

  /// The text in one JSON line; empty if this rule does not read lines or the line does not match.
  Optional<String> readLine(JsonNode line) {
    return readsLines() ? read(line) : Optional.empty();
  }

  public Optional<String> read(JsonNode node) {
    return where.matches(node) ? Json.text(node, pointer) : Optional.empty();
  }
}
