package agentsessions.runner.agent;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Which lines of an agent's output are events, and what is in them.
///
/// @param each an array in the line whose elements are looked at one by one
/// @param item what such an element must have
/// @param pieces whether following lines are more of the same message
record EventRule(
    Event.Type type,
    Where where,
    @Nullable String each,
    Where item,
    @Nullable String text,
    boolean pieces,
    @Nullable String name,
    @Nullable String input) {

  EventRule {
    where = requireNonNullElse(where, Where.ANYTHING);
    item = requireNonNullElse(item, Where.ANYTHING);
  }

  Stream<Event> read(JsonNode line) {
    return where.matches(line)
        ? elements(line).filter(item::matches).flatMap(this::event)
        : Stream.of();
  }

  private Stream<JsonNode> elements(JsonNode line) {
    return each == null
        ? Stream.of(line)
        : StreamSupport.stream(line.at(each).spliterator(), false);
  }

  private Stream<Event> event(JsonNode node) {
    return switch (type) {
      case MESSAGE -> at(node, text).map(Event::message).stream();
      case TOOL_CALL -> at(node, name).map(tool -> toolCall(tool, node)).stream();
    };
  }

  private Event toolCall(String tool, JsonNode node) {
    ObjectNode call = Json.MAPPER.createObjectNode().put("name", Utf8.clip(tool, 200));
    JsonNode given = node.at(requireNonNullElse(input, "/"));
    if (Utf8.exceeds(given.toString(), Limits.INPUT)) {
      call.put("input", Utf8.clip(given.toString(), Limits.INPUT) + "…");
    } else if (!given.isMissingNode()) {
      call.set("input", given);
    }
    return new Event(Event.Type.TOOL_CALL, call.toString());
  }

  private static Optional<String> at(JsonNode node, @Nullable String pointer) {
    return pointer == null ? Optional.empty() : Json.text(node, pointer);
  }
}
