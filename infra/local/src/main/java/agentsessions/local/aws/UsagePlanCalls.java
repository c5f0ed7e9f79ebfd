package agentsessions.local.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The API Gateway calls by which the service registers keys with its usage plan. They are kept in
/// memory and have no effect: the gateway of this machine counts the requests of every key that the
/// authorizer accepts.
final class UsagePlanCalls {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Keys by their id.
  private final Map<String, ObjectNode> keys = new ConcurrentHashMap<>();

  /// @param call method and path, such as `DELETE /apikeys/x`
  /// @param name the prefix of the names of keys to list; empty: all
  ObjectNode answer(String call, String name, JsonNode request) {
    String[] parts = call.split("/", -1);
    return switch (parts[0] + parts[1]) {
      case "POST apikeys" -> create(request);
      case "GET apikeys" -> named(name);
      case "DELETE apikeys" -> delete(parts[2]);
      case "POST usageplans" -> known(request.path("keyId").asText());
      default -> throw new AwsRefusal("UnknownOperationException", "not known here: " + call);
    };
  }

  private ObjectNode create(JsonNode request) {
    String id = UUID.randomUUID().toString();
    ObjectNode key =
        JSON.createObjectNode()
            .put("id", id)
            .put("name", request.path("name").asText())
            .put("value", request.path("value").asText())
            .put("enabled", true);
    keys.put(id, key);
    return key;
  }

  private ObjectNode named(String prefix) {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode items = answer.putArray("item");
    keys.values().stream()
        .filter(key -> key.path("name").asText().startsWith(prefix))
        .forEach(items::add);
    return answer;
  }

  private ObjectNode known(String id) {
    ObjectNode key = keys.get(id);
    if (key == null) {
      throw new AwsRefusal("NotFoundException", "Invalid API Key identifier specified");
    }
    return key;
  }

  private ObjectNode delete(String id) {
    ObjectNode _ = known(id);
    keys.remove(id);
    return JSON.createObjectNode();
  }
}
