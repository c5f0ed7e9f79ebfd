package agentsessions.template;

import agentsessions.local.machine.SamTemplate;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The template as a tree, for the tests of this room. Tags are not seen: `!Ref Table` reads
/// `Table`.
final class StackTemplate {
  private StackTemplate() {}

  static JsonNode resources() {
    return read("template.yaml").path("Resources");
  }

  static JsonNode parameter(String name) {
    return read("template.yaml").path("Parameters").path(name);
  }

  static JsonNode properties(String resource) {
    return resources().path(resource).path("Properties");
  }

  static Map<String, JsonNode> ofType(String type) {
    Map<String, JsonNode> found = new LinkedHashMap<>();
    resources()
        .properties()
        .forEach(resource -> {
          if (resource.getValue().path("Type").asText().equals(type)) {
            found.put(resource.getKey(), resource.getValue().path("Properties"));
          }
        });
    return found;
  }

  static Map<String, JsonNode> functions() {
    return ofType("AWS::Serverless::Function");
  }

  static List<String> texts(JsonNode oneOrMore) {
    return oneOrMore.isArray()
        ? oneOrMore
            .valueStream()
            .flatMap(StackTemplate::alternatives)
            .map(JsonNode::asText)
            .toList()
        : List.of(oneOrMore.asText());
  }

  /// Both values of an `!If`, whose first part is the condition; the text of a `!Sub` with values.
  private static Stream<JsonNode> alternatives(JsonNode value) {
    if (value.path(1).isObject()) {
      return Stream.of(value.path(0));
    }
    return value.isArray()
        ? value.valueStream().skip(1).filter(one -> !one.asText().equals("AWS::NoValue"))
        : Stream.of(value);
  }

  static JsonNode read(String file) {
    return SamTemplate.yaml(text(file));
  }

  /// A file of the project, wherever the tests are started.
  static String text(String file) {
    try {
      return Files.readString(path(file));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  static Path path(String file) {
    Path here = Path.of("").toAbsolutePath();
    Path root = Files.exists(here.resolve("template.yaml")) ? here : here.resolve("../..");
    return root.resolve(file);
  }
}
