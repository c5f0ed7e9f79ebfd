package agentsessions.local.steps;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/// A checked state machine: every target exists, every expression parses, every function is known.
public record StateMachine(String startAt, Duration timeout, Map<String, State> states) {
  private static final JsonMapper YAML =
      JsonMapper.builder(new YAMLFactory())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  /// Reads and checks a machine.
  ///
  /// @param text YAML
  /// @param functions the function's name for each placeholder `${Name}` but `${Partition}`
  /// @throws IllegalArgumentException with the place of whatever the engine does not support
  public static StateMachine read(String text, Map<String, String> functions) {
    return new StateReader(functions.values())
        .machine(new StateFields("machine", tree(filled(text, functions))));
  }

  State state(String name) {
    return Objects.requireNonNull(states.get(name), name);
  }

  private static String filled(String text, Map<String, String> functions) {
    String result = text.replace("${Partition}", "aws");
    for (Map.Entry<String, String> function : functions.entrySet()) {
      result = result.replace("${" + function.getKey() + "}", function.getValue());
    }
    return result;
  }

  private static JsonNode tree(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new IllegalArgumentException("machine: not YAML: " + e.getMessage(), e);
    }
  }
}
