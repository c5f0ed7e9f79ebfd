package agentsessions.runner.agent;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// A condition on a JSON value: JSON pointers with the values that must stand there.
record Where(Map<String, JsonNode> values) {
  static final Where ANYTHING = new Where(Map.of());

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  Where {}

  boolean matches(JsonNode node) {
    return values.entrySet().stream()
        .allMatch(value -> node.at(value.getKey()).equals(value.getValue()));
  }
}
