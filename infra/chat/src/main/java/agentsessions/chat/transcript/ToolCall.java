package agentsessions.chat.transcript;

import agentsessions.chat.api.ApiHttp;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// A `tool_call` message as one line for people: the tool's name and its main argument.
///
/// A call has a message at its start and one at its end; the end is printed only if the tool
/// failed.
final class ToolCall {
  private static final int LONGEST = 160;

  /// The names that tools give their main argument, the most telling first.
  private static final List<String> MAIN =
      List.of(
          "command",
          "cmd",
          "file_path",
          "filePath",
          "absolute_path",
          "path",
          "pattern",
          "query",
          "url",
          "description",
          "prompt");

  private ToolCall() {}

  /// The line of a message; empty if it is not to be printed.
  ///
  /// @param message the JSON text of the API; unknown fields are ignored
  static Optional<String> line(String message) {
    JsonNode call = parsed(message);
    if (!call.isObject()) {
      return Optional.of("> " + cut(message));
    }
    return switch (call.path("status").asText()) {
      case "" -> Optional.of("> " + cut((name(call) + " " + argument(call.path("input"))).strip()));
      case "failed" -> Optional.of("x " + cut(name(call)) + " failed" + after(call));
      default -> Optional.empty();
    };
  }

  /// The whole input of a call, a line or more for each of its arguments.
  static String whole(JsonNode input) {
    return input.isObject()
        ? input.properties().stream()
            .map(each -> each.getKey() + ": " + indented(each.getValue()))
            .collect(Collectors.joining("\n"))
        : indented(input);
  }

  private static String indented(JsonNode value) {
    String text = value.isTextual() ? value.asText() : value.toString();
    return text.stripTrailing().replace("\n", "\n  ");
  }

  private static String name(JsonNode call) {
    return call.path("name").asText(call.path("__name__").asText("?"));
  }

  private static String argument(JsonNode input) {
    return switch (input.getNodeType()) {
      case STRING -> input.asText();
      case OBJECT ->
          values(input).findFirst().orElseGet(() -> input.isEmpty() ? "" : input.toString());
      case ARRAY ->
          StreamSupport.stream(input.spliterator(), false)
              .map(ToolCall::argument)
              .collect(Collectors.joining(" "));
      case MISSING, NULL -> "";
      case BINARY, BOOLEAN, NUMBER, POJO -> input.toString();
    };
  }

  /// The arguments that are texts, the main one first.
  private static Stream<String> values(JsonNode input) {
    Stream<JsonNode> main = MAIN.stream().map(input::path);
    Stream<JsonNode> others = StreamSupport.stream(input.spliterator(), false);
    return Stream.concat(main, others).filter(JsonNode::isTextual).map(JsonNode::asText);
  }

  private static String after(JsonNode call) {
    JsonNode milliseconds = call.path("duration_ms");
    return milliseconds.isNumber() ? " after " + milliseconds.asLong() / 1000.0 + " s" : "";
  }

  private static JsonNode parsed(String message) {
    try {
      return ApiHttp.JSON.readTree(message);
    } catch (JsonProcessingException e) {
      return ApiHttp.JSON.missingNode();
    }
  }

  private static String cut(String text) {
    String line = text.strip().replaceAll("\\R\\s*", " ");
    return line.codePointCount(0, line.length()) <= LONGEST
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST)) + " ...";
  }
}
