package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A catalogue rule that turns lines of an agent's JSON output into transcript events.
///
/// @param each JSON pointer to an array in the line whose elements are matched one by one
/// @param item the condition that such an element must meet
/// @param pieces whether following lines are more of the same message
/// @param id JSON pointer to a tool call's id
/// @param name JSON pointer to the tool's name; without a leading slash it is the name itself
/// @param input JSON pointer to the tool's input, or an object of such pointers by field name
/// @param result for a tool call whose line also says how it ended
public record EventRule(
    Kind type,
    JsonCondition where,
    @Nullable String each,
    JsonCondition item,
    @Nullable String text,
    boolean pieces,
    @Nullable String id,
    @Nullable String name,
    @Nullable JsonNode input,
    @Nullable ToolResultRule result) {

  public EventRule {
    where = requireNonNullElse(where, JsonCondition.ANYTHING);
    item = requireNonNullElse(item, JsonCondition.ANYTHING);
  }

  /// The kind of event; `OUTPUT` shows everything that the agent prints, line by line.
  public enum Kind {
    MESSAGE,
    TOOL_CALL,
    TOOL_RESULT,
    OUTPUT
  }

  public Stream<OutputEvent> read(JsonNode line) {
    return where.matches(line)
        ? elements(line).filter(item::matches).flatMap(this::saying)
        : Stream.of();
  }

  private Stream<JsonNode> elements(JsonNode line) {
    return each == null
        ? Stream.of(line)
        : StreamSupport.stream(line.at(each).spliterator(), false);
  }

  private Stream<OutputEvent> saying(JsonNode node) {
    return switch (type) {
      case MESSAGE -> at(node, text).<OutputEvent>map(OutputEvent.Message::new).stream();
      case TOOL_CALL -> toolName(node).map(tool -> toolCall(tool, node)).stream();
      case TOOL_RESULT -> at(node, id).map(call -> toolResult(call, node)).stream();
      case OUTPUT -> Stream.of();
    };
  }

  private Optional<String> toolName(JsonNode node) {
    return name == null || name.startsWith("/") ? at(node, name) : Optional.of(name);
  }

  private OutputEvent toolCall(String tool, JsonNode node) {
    return new OutputEvent.Call(
        at(node, id).orElse(null),
        tool,
        input(node),
        Optional.ofNullable(result).map(end -> end.outcome(node)));
  }

  private OutputEvent toolResult(String call, JsonNode node) {
    return new OutputEvent.CallEnd(
        call, requireNonNullElse(result, ToolResultRule.GOOD).outcome(node));
  }

  private @Nullable JsonNode input(JsonNode node) {
    if (input == null || input.isTextual()) {
      JsonNode found = node.at(input == null ? "/" : input.textValue());
      return found.isMissingNode() ? null : found;
    }
    ObjectNode collected = Json.MAPPER.createObjectNode();
    input
        .properties()
        .forEach(field -> collected.set(field.getKey(), node.at(field.getValue().textValue())));
    return collected;
  }

  private static Optional<String> at(JsonNode node, @Nullable String pointer) {
    return pointer == null ? Optional.empty() : Json.text(node, pointer);
  }
}
