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

/// What `infra/agents.schema.json` has to say about a catalogue.
final class CatalogueSchema {
  /// Of two agents with one name, the second would win without a word.
  private static final YAMLMapper STRICT =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Pattern PLACE = Pattern.compile("line (\\d+), column");

  private final Schema schema;

  /// @param text of the schema
  CatalogueSchema(String text) {
    schema =
        SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                registry -> registry.nodeReader(reader -> reader.locationAware()))
            .getSchema(text, InputFormat.JSON);
  }

  /// One sentence for each mistake, with its line and field: `line 7, /claude/network: …`.
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

  /// The property that should not be there, where that is the mistake, or else the value.
  private static JsonNode node(Error error) {
    JsonNode value = error.getInstanceNode();
    String property = error.getProperty();
    return property != null && value.has(property) ? value.get(property) : value;
  }

  /// Of what the parser has to say, the sentence that names the fault.
  private static String reason(JsonProcessingException syntax) {
    List<String> said = syntax.getOriginalMessage().lines().map(String::strip).toList();
    String fault =
        said.stream()
            .filter(line -> line.startsWith("found") || line.startsWith("could not find"))
            .findFirst()
            .orElse(said.getFirst());
    return "line %s: %s".formatted(line(syntax, fault), fault);
  }

  /// The place that is named behind the fault; one before it is of what the fault is part of.
  private static String line(JsonProcessingException syntax, String fault) {
    String said = syntax.getOriginalMessage();
    Matcher place = PLACE.matcher(said.substring(Math.max(0, said.indexOf(fault))));
    return place.find() ? place.group(1) : Integer.toString(syntax.getLocation().getLineNr());
  }
}
