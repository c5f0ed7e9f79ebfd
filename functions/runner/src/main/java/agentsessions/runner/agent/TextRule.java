package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where an agent leaves a text: its reply, or the reason why it has none.
///
/// @param pointer into the JSON value, or the line, that `where` matches
/// @param empty what stands for it where an agent that did well left none; else that is a failure
public record TextRule(From from, Where where, String pointer, @Nullable String empty) {
  static final TextRule STDOUT = new TextRule(From.STDOUT, Where.ANYTHING, "", null);

  public TextRule {
    where = requireNonNullElse(where, Where.ANYTHING);
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

  /// The text in one JSON line, if this rule reads lines and the line is meant.
  Optional<String> readLine(JsonNode line) {
    return readsLines() ? read(line) : Optional.empty();
  }

  public Optional<String> read(JsonNode node) {
    return where.matches(node) ? Json.text(node, pointer) : Optional.empty();
  }
}
