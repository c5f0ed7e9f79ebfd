package agentsessions.local.steps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The fields of one object of a state machine's file. A reader takes the fields that it supports;
/// any that are left over are refused.
final class StateFields {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String where;
  private final JsonNode node;
  private final Set<String> left = new HashSet<>();

  StateFields(String where, JsonNode node) {
    this.where = where;
    this.node = node;
    if (!node.isObject()) {
      throw refused("must be an object");
    }
    node.fieldNames().forEachRemaining(left::add);
  }

  /// Refuses the object if a field was not taken.
  void done() {
    if (!left.isEmpty()) {
      throw refused("unknown " + String.join(", ", left.stream().sorted().toList()));
    }
  }

  IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException(where + ": " + reason);
  }

  Optional<JsonNode> take(String name) {
    left.remove(name);
    return Optional.ofNullable(node.get(name));
  }

  JsonNode require(String name) {
    return take(name).orElseThrow(() -> refused(name + " is missing"));
  }

  Optional<String> text(String name) {
    return take(name).map(value -> textual(name, value));
  }

  String requireText(String name) {
    return textual(name, require(name));
  }

  boolean flag(String name) {
    return take(name)
        .map(value -> checked(value, value.isBoolean(), name, "true or false"))
        .map(JsonNode::booleanValue)
        .orElse(false);
  }

  double number(String name, double least, double otherwise) {
    return take(name)
        .map(value ->
            checked(
                value,
                value.isNumber() && value.doubleValue() >= least,
                name,
                "a number ≥ " + least))
        .map(JsonNode::doubleValue)
        .orElse(otherwise);
  }

  Optional<Duration> seconds(String name) {
    return take(name)
        .map(value -> checked(value, value.isInt() && value.intValue() > 0, name, "whole seconds"))
        .map(value -> Duration.ofSeconds(value.intValue()));
  }

  /// The objects of a list field, each with its own place in messages; empty if the field is
  /// absent.
  <T> List<T> list(String name, Function<StateFields, T> reader) {
    List<T> result = new ArrayList<>();
    for (JsonNode item :
        take(name)
            .map(value -> checked(value, value.isArray() && !value.isEmpty(), name, "a list"))
            .orElse(MAPPER.createArrayNode())) {
      StateFields fields = new StateFields(where + "." + name + "[" + result.size() + "]", item);
      result.add(reader.apply(fields));
      fields.done();
    }
    return result;
  }

  StateFields object(String name) {
    return new StateFields(where + "." + name, require(name));
  }

  Optional<PayloadTemplate> template(String name) {
    return take(name).map(value -> template(name, value));
  }

  PayloadTemplate requireTemplate(String name) {
    return template(name, require(name));
  }

  private PayloadTemplate template(String name, JsonNode value) {
    try {
      return new PayloadTemplate(MAPPER.convertValue(value, Object.class));
    } catch (IllegalArgumentException e) {
      throw refused(name + ": " + e.getMessage());
    }
  }

  private String textual(String name, JsonNode value) {
    return checked(value, value.isTextual() && !value.textValue().isEmpty(), name, "a text")
        .textValue();
  }

  private JsonNode checked(JsonNode value, boolean good, String name, String wanted) {
    if (!good) {
      throw refused(name + " must be " + wanted);
    }
    return value;
  }
}
