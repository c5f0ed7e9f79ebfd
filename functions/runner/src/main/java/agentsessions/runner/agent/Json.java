package agentsessions.runner.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The JSON mapper of the runner protocol and the catalogue: snake_case, unknown fields ignored.
public final class Json {
  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .build();

  private static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder().maxNestingDepth(100).maxTokenCount(100_000).build();

  /// For text that an agent wrote. Bounded, because a parsed tree takes many times the memory of
  /// its text.
  private static final JsonMapper AGENTS =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(BOUNDS)
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .build();

  private Json() {}

  /// Parses JSON that an agent wrote: at most 100 levels deep, and 100,000 tokens long. Bytes that
  /// are not UTF-8 are replaced.
  public static Optional<JsonNode> ofAgent(byte[] text) {
    try {
      return Optional.ofNullable(
          AGENTS.readTree(
              new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8)));
    } catch (IOException notJson) {
      return Optional.empty();
    }
  }

  /// Parses JSON that the service wrote; empty if it is not JSON.
  public static Optional<JsonNode> parse(String text) {
    try {
      return Optional.ofNullable(MAPPER.readTree(text));
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  /// The text at a JSON pointer; a value that is not a string is given as JSON.
  static Optional<String> text(JsonNode node, String pointer) {
    JsonNode found = node.at(pointer);
    if (found.isMissingNode() || found.isNull()) {
      return Optional.empty();
    }
    return Optional.of(found.isTextual() ? found.textValue() : found.toString());
  }
}
