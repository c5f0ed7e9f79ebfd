package agentsessions.runner.agent;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// A condition on a JSON value: JSON pointers with the values that must stand there.
record JsonCondition(Map<String, JsonNode> values) {
  static final JsonCondition ANYTHING = new JsonCondition(Map.of());

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  JsonCondition {}

  boolean matches(JsonNode node) {
    return values.entrySet().stream()
        .allMatch(value -> node.at(value.getKey()).equals(value.getValue()));
  }
}
