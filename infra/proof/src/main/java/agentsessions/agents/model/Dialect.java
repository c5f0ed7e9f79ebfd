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

/// A protocol between agents and models: how a request reads, what its vendor refuses, and the
/// events that an answer is streamed as. Only what agents were seen to need.
interface Dialect {
  Set<String> SHELLS =
      Set.of("bash", "shell", "shell_command", "exec_command", "run_shell_command");
  List<String> ARGUMENTS = List.of("command", "cmd");

  /// Where a stream of events goes; the name may be empty.
  interface Events {
    void send(String name, Object data);
  }

  /// The end of the path of a request.
  String path();

  /// What a request says who it is by.
  String key(Headers headers);

  /// How the names of its vendor's models begin.
  String family();

  /// What the vendor documents of a request.
  BodySchema schema();

  /// What the vendor refuses besides.
  default Optional<ModelAnswer.Refusal> refusal(Headers headers) {
    return Optional.empty();
  }

  /// What the vendor says to a key that it does not know.
  default ModelAnswer.Refusal wrongKey() {
    return new ModelAnswer.Refusal(401, "the key is wrong");
  }

  /// An error in the vendor's form.
  Object error(ModelAnswer.Refusal refusal);

  ModelRequest read(JsonNode request);

  void text(Events events, String text, Used used);

  void call(Events events, ModelAnswer.Call call, Used used);

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

  /// What the tool is called with, as JSON text.
  static String arguments(ModelAnswer.Call call) {
    return Json.text(Map.of(call.tool().argument(), call.argument(), "description", "x"));
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
        ? List.of(Json.MAPPER.createObjectNode().set("text", content))
        : content;
  }

  /// The tools that take a shell command.
  ///
  /// @param name where a tool's name is
  /// @param schema where the schema of its arguments is
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
