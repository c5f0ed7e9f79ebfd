package agentsessions.agents.model;

import agentsessions.agents.model.ModelRequest.Form;
import agentsessions.agents.model.ModelRequest.Role;
import agentsessions.agents.model.ModelRequest.Tool;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// A protocol between agents and models: how a request is read, which requests the vendor refuses,
/// and the events in which an answer is streamed. Holds only the parts that the agents use.
interface ModelProtocol {
  Set<String> SHELLS =
      Set.of("bash", "shell", "shell_command", "exec_command", "run_shell_command");
  List<String> ARGUMENTS = List.of("command", "cmd");

  /// The output of a stream of events; an event's name may be empty.
  interface Events {
    void send(String name, Object data);
  }

  /// The end of the path of this protocol's requests.
  String path();

  /// The API key of a request.
  String key(Headers headers);

  /// The common beginning of the names of the vendor's models.
  String family();

  /// The schema of a request's body, from the vendor's documentation.
  BodySchema schema();

  /// A further reason of the vendor to refuse a request, such as a missing header.
  default Optional<ModelAnswer.Refusal> refusal(Headers headers) {
    return Optional.empty();
  }

  /// The vendor's answer to an unknown key.
  default ModelAnswer.Refusal wrongKey() {
    return new ModelAnswer.Refusal(401, "the key is wrong");
  }

  /// An error body in the vendor's form.
  Object error(ModelAnswer.Refusal refusal);

  ModelRequest read(JsonNode request);

  void text(Events events, String text, TokenUsage used);

  void call(Events events, ModelAnswer.Call call, TokenUsage used);

  static void named(Events events, String type, Map<String, Object> fields) {
    Map<String, Object> data = new LinkedHashMap<>(fields);
    data.put("type", type);
    events.send(type, data);
  }

  /// A header's value; empty where there is none.
  static String header(Headers headers, String name) {
    return Optional.ofNullable(headers.getFirst(name)).orElse("");
  }

  static String id() {
    return "i" + UUID.randomUUID();
  }

  static Role role(JsonNode role) {
    return switch (role.asText()) {
      case "user" -> Role.USER;
      case "tool" -> Role.TOOL;
      default -> Role.MODEL;
    };
  }

  static Iterable<JsonNode> parts(JsonNode content) {
    return content.isTextual()
        ? List.of(ModelJson.MAPPER.createObjectNode().set("text", content))
        : content;
  }

  /// The tools that take a shell command.
  ///
  /// @param name field that holds a tool's name
  /// @param schema field that holds the schema of its arguments
  static List<Tool> shells(JsonNode tools, String name, String schema) {
    List<Tool> shells = new ArrayList<>();
    for (JsonNode tool : tools) {
      if (SHELLS.contains(lower(tool.at(name).asText()))) {
        shells.add(shell(tool.at(name).asText(), tool.at(schema).path("properties")));
      }
    }
    return shells;
  }

  private static Tool shell(String name, JsonNode properties) {
    String argument = ARGUMENTS.stream().filter(properties::has).findFirst().orElse("command");
    boolean words = properties.path(argument).path("type").asText().equalsIgnoreCase("array");
    return new Tool(name, argument, words ? Form.WORDS : Form.TEXT);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
