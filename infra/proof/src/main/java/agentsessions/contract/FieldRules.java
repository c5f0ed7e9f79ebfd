package agentsessions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The field rules that the contract states in words only, since client generators cannot read a
/// schema for them: the form of ids and times, the messages that have an outcome, and that a thread
/// always has its `error`, if only null.
final class FieldRules {
  private static final Set<String> IDS =
      Set.of(
          "id",
          "session_id",
          "thread_id",
          "chat_id",
          "chat_thread_id",
          "plan_id",
          "superseded_by",
          "plan_artifact_ids");

  /// Objects whose fields are chosen by clients and agents.
  private static final Set<String> FREE = Set.of("metadata", "input");

  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /// The id of an event is a cursor, not that of a resource.
  private static final String EVENT_ID = "event id";

  private static final Pattern PLACE = Pattern.compile("[0-9a-f]{12}[0-9a-f-]{36}[mprt][0-9a-f-]*");
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");

  private final List<String> faults = new ArrayList<>();

  private FieldRules() {}

  /// The rules that a body breaks, a sentence each.
  static List<String> faults(JsonNode body) {
    FieldRules fields = new FieldRules();
    fields.object(body);
    return fields.faults;
  }

  private void object(JsonNode node) {
    if (node.has("type") && node.has("outcome") != "final_message".equals(text(node, "type"))) {
      faults.add("an outcome belongs to a final_message: " + node);
    }
    if (node.has("role") && node.has("files") != "user".equals(text(node, "role"))) {
      faults.add("files belong to a user message: " + node);
    }
    if (node.has("superseded_by") && !node.has("error")) {
      faults.add("no error: " + node);
    }
    boolean isEvent = node.has("type") && node.has("data");
    node.properties().stream()
        .filter(entry -> !isKeyId(node, entry) && !isGrantId(node, entry))
        .filter(entry -> !isPosition(node, entry))
        .forEach(entry ->
            field(
                isEvent && entry.getKey().equals("id") ? EVENT_ID : entry.getKey(),
                entry.getValue()));
  }

  /// The id of a key has another form.
  private static boolean isKeyId(JsonNode node, Map.Entry<String, JsonNode> field) {
    return node.has("scopes")
        && field.getKey().equals("id")
        && field.getValue().asText().matches("[0-9A-Za-z]{16}");
  }

  /// The id of a grant is a fingerprint.
  private static boolean isGrantId(JsonNode node, Map.Entry<String, JsonNode> field) {
    return node.has("tool")
        && field.getKey().equals("id")
        && field.getValue().asText().matches("[0-9a-f]{64}");
  }

  /// The id of a question is its position.
  private static boolean isPosition(JsonNode node, Map.Entry<String, JsonNode> field) {
    return node.has("free_text")
        && field.getKey().equals("id")
        && field.getValue().asText().matches("[1-9][0-9]?");
  }

  private void field(String name, JsonNode value) {
    if (value.isArray()) {
      value.forEach(element -> field(name, element));
    } else if (value.isObject() && !FREE.contains(name)) {
      object(value);
    } else if (value.isTextual() && !pattern(name).matcher(value.textValue()).matches()) {
      faults.add(name + ": " + value);
    }
  }

  private static Pattern pattern(String name) {
    if (IDS.contains(name)) {
      return ID;
    }
    if (name.equals(EVENT_ID)) {
      return PLACE;
    }
    return name.endsWith("_at") ? TIME : Pattern.compile("(?s).*");
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asText();
  }
}
