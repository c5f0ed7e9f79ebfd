package agentsessions.local;

import agentsessions.local.machine.Failures;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.utils.JsonNodes;
import java.util.List;

/// What `infra/agents.schema.json` has to say about a catalogue.
final class CatalogueSchema {
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
      return schema.validate(catalogue, InputFormat.YAML).stream()
          .map(CatalogueSchema::sentence)
          .toList();
    } catch (IllegalArgumentException noYaml) {
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

  private static String reason(Exception failure) {
    return failure.getCause() instanceof JsonProcessingException syntax
        ? "line %d: %s".formatted(syntax.getLocation().getLineNr(), syntax.getOriginalMessage())
        : Failures.text(failure);
  }
}
