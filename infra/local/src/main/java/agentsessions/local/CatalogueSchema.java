package agentsessions.local;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.utils.JsonNodes;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The check of a catalogue against `infra/agents.schema.json`, with the line and field of each
/// mistake.
final class CatalogueSchema {
  /// Without this check the second of two agents with one name would silently replace the first.
  private static final YAMLMapper STRICT =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Pattern PLACE = Pattern.compile("line (\\d+), column");

  private final Schema schema;

  /// @param text the schema, JSON
  CatalogueSchema(String text) {
    schema =
        SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.nodeReader(reader -> reader.locationAware()))
            .getSchema(text, InputFormat.JSON);
  }

  /// The mistakes, one sentence each, with its line and field: `line 7, /claude/network: …`.
  List<String> mistakes(String catalogue) {
    try {
      JsonNode read = STRICT.readTree(catalogue);
      if (!read.isObject()) {
        return List.of("line 1: it must name at least one agent: NAME: {command: …, …}");
      }
      return schema.validate(catalogue, InputFormat.YAML).stream()
          .map(CatalogueSchema::sentence)
          .toList();
    } catch (JsonProcessingException noYaml) {
      return List.of(reason(noYaml));
    }
  }

  private static String sentence(Error error) {
    JsonLocation place = JsonNodes.tokenStreamLocationOf(node(error));
    return "line %d, %s: %s"
        .formatted(place.getLineNr(), error.getInstanceLocation(), error.getMessage());
  }

  /// The node whose line is reported: the unexpected property if there is one, else the value.
  private static JsonNode node(Error error) {
    JsonNode value = error.getInstanceNode();
    String property = error.getProperty();
    return property != null && value.has(property) ? value.get(property) : value;
  }

  /// The line of the parser's message that names the fault; the others describe its surroundings.
  private static String reason(JsonProcessingException syntax) {
    List<String> output = syntax.getOriginalMessage().lines().map(String::strip).toList();
    String fault =
        output.stream()
            .filter(line -> line.startsWith("found") || line.startsWith("could not find"))
            .findFirst()
            .orElse(output.getFirst());
    return "line %s: %s".formatted(line(syntax, fault), fault);
  }

  /// The line number after the fault in the message; one before it belongs to the enclosing
  /// element.
  private static String line(JsonProcessingException syntax, String fault) {
    String output = syntax.getOriginalMessage();
    Matcher place = PLACE.matcher(output.substring(Math.max(0, output.indexOf(fault))));
    return place.find() ? place.group(1) : Integer.toString(syntax.getLocation().getLineNr());
  }
}
