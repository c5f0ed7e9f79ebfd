package agentsessions.local.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The Parameter Store API, as far as the service calls it. All parameters are in one encrypted
/// file.
final class ParameterCalls {
  private static final Pattern NAME = Pattern.compile("(/[a-zA-Z0-9_.-]+){1,15}");
  private static final int LONGEST_NAME = 1011;
  private static final int LARGEST_VALUE = 4096;
  private static final int MOST_AT_ONCE = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SealedFile file;
  private Map<String, String> values;

  ParameterCalls(SealedFile file) {
    this.file = file;
    this.values = new TreeMap<>(file.read().map(ParameterCalls::parsed).orElse(Map.of()));
  }

  synchronized ObjectNode put(JsonNode request) {
    String name = request.path("Name").asText();
    String value = request.path("Value").asText();
    requireName(name);
    if (value.isEmpty() || value.getBytes(StandardCharsets.UTF_8).length > LARGEST_VALUE) {
      throw new AwsRefusal(
          "ValidationException", "a value has 1 to 4096 bytes in the standard tier");
    }
    if (values.containsKey(name) && !request.path("Overwrite").asBoolean()) {
      throw new AwsRefusal("ParameterAlreadyExists", "The parameter already exists.");
    }
    Map<String, String> changed = new TreeMap<>(values);
    changed.put(name, value);
    keep(changed);
    return JSON.createObjectNode().put("Version", 1).put("Tier", "Standard");
  }

  synchronized ObjectNode get(JsonNode request) {
    JsonNode names = request.path("Names");
    if (names.isEmpty() || names.size() > MOST_AT_ONCE) {
      throw new AwsRefusal("ValidationException", "1 to 10 names can be asked for at once");
    }
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode found = answer.putArray("Parameters");
    ArrayNode unknown = answer.putArray("InvalidParameters");
    for (JsonNode name : names) {
      @Nullable String value = values.get(name.asText());
      if (value == null) {
        unknown.add(name);
      } else {
        found.add(parameter(name.asText(), value));
      }
    }
    return answer;
  }

  synchronized ObjectNode delete(JsonNode request) {
    Map<String, String> changed = new TreeMap<>(values);
    if (changed.remove(request.path("Name").asText()) == null) {
      throw new AwsRefusal("ParameterNotFound", "The parameter couldn't be found.");
    }
    keep(changed);
    return JSON.createObjectNode();
  }

  private static ObjectNode parameter(String name, String value) {
    return JSON.createObjectNode()
        .put("Name", name)
        .put("Type", "SecureString")
        .put("Value", value)
        .put("Version", 1);
  }

  private static void requireName(String name) {
    if (!NAME.matcher(name).matches() || name.length() > LONGEST_NAME) {
      throw new AwsRefusal("ValidationException", "not the full name of a parameter: " + name);
    }
  }

  /// What cannot be written, on a full disk, is not there.
  private void keep(Map<String, String> changed) {
    try {
      file.write(JSON.writeValueAsString(changed));
      values = changed;
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Map<String, String> parsed(String text) {
    try {
      return JSON.readValue(text, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The sealed parameters are not the JSON they should be");
    }
  }
}
