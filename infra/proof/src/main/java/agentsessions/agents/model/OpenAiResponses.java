package agentsessions.agents.model;

import agentsessions.agents.model.ModelRequest.Form;
import agentsessions.agents.model.ModelRequest.Item;
import agentsessions.agents.model.ModelRequest.Role;
import agentsessions.agents.model.ModelRequest.Tool;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// OpenAI's Responses protocol, which codex and opencode speak.
final class OpenAiResponses implements ModelProtocol {
  private static final Map<Integer, String> CODES =
      Map.of(401, "invalid_api_key", 404, "model_not_found", 429, "rate_limit_exceeded");
  private static final int THEIRS = 500;

  private final BodySchema schema = new BodySchema("responses.yaml");

  @Override
  public String path() {
    return "/responses";
  }

  @Override
  public String key(Headers headers) {
    return ModelProtocol.header(headers, "authorization").replaceFirst("^Bearer ", "");
  }

  @Override
  public String family() {
    return "gpt-";
  }

  @Override
  public BodySchema schema() {
    return schema;
  }

  @Override
  public Object error(ModelAnswer.Refusal refusal) {
    Map<String, Object> error = new HashMap<>();
    error.put("message", refusal.reason());
    error.put("type", refusal.status() < THEIRS ? "invalid_request_error" : "server_error");
    error.put("param", null);
    error.put("code", CODES.get(refusal.status()));
    return Map.of("error", error);
  }

  @Override
  public ModelRequest read(JsonNode request) {
    List<Item> items = new ArrayList<>();
    for (JsonNode item : request.path("input")) {
      boolean result = item.path("type").asText().endsWith("_call_output");
      Role role = result ? Role.TOOL : ModelProtocol.role(item.path("role"));
      List<String> texts = new ArrayList<>(item.path("content").findValuesAsText("text"));
      // A task that codex gives to an agent of its own.
      if (item.path("type").asText().equals("agent_message")) {
        role = Role.USER;
        texts.addAll(item.path("content").findValuesAsText("encrypted_content"));
      }
      if (result) {
        texts.add(item.path("output").toString());
      }
      items.add(new Item(role, String.join("\n", texts)));
    }
    return new ModelRequest(items, tools(request));
  }

  /// Codex lists its tools for newer models inside an item, by namespaces, and most of them can be
  /// called only by programs that its tool `exec` runs.
  private static List<Tool> tools(JsonNode request) {
    List<Tool> tools = ModelProtocol.shells(request.path("tools"), "/name", "/parameters");
    for (JsonNode item : request.path("input")) {
      for (JsonNode space : item.path("tools")) {
        for (JsonNode tool : space.path("tools")) {
          if (tool.path("type").asText().equals("custom")
              && tool.path("name").asText().equals("exec")) {
            tools.add(new Tool("exec", "", Form.PROGRAM));
          }
        }
      }
    }
    return tools;
  }

  @Override
  public void text(Events events, String text, TokenUsage used) {
    created(events);
    say(events, text);
    completed(events, used);
  }

  @Override
  public void call(Events events, ModelAnswer.Call call, TokenUsage used) {
    created(events);
    if (!call.say().isEmpty()) {
      say(events, call.say());
    }
    if (call.input() instanceof String program) {
      item(events, "custom_tool_call", "input", call, program);
    } else {
      item(events, "function_call", "arguments", call, ModelJson.text(call.input()));
    }
    completed(events, used);
  }

  private void item(
      Events events, String type, String argument, ModelAnswer.Call call, String text) {
    String id = ModelProtocol.id();
    Map<String, Object> item = new HashMap<>();
    item.put("type", type);
    item.put("id", id);
    item.put("call_id", ModelProtocol.id());
    int dot = call.name().indexOf('.');
    item.put("name", call.name().substring(dot + 1));
    if (dot > 0) {
      item.put("namespace", call.name().substring(0, dot));
    }
    item.put(argument, "");
    item(events, "added", item);
    piece(events, type + "_" + argument, id, text);
    item.put(argument, text);
    item.put("status", "completed");
    item(events, "done", item);
  }

  private void created(Events events) {
    Object response = Map.of("id", ModelProtocol.id(), "created_at", 1, "model", "scripted");
    ModelProtocol.named(events, "response.created", Map.of("response", response));
  }

  private void say(Events events, String text) {
    String id = ModelProtocol.id();
    Map<String, Object> item = new HashMap<>();
    item.put("type", "message");
    item.put("id", id);
    item.put("role", "assistant");
    item.put("content", List.of());
    item(events, "added", item);
    piece(events, "output_text", id, text);
    item.put(
        "content", List.of(Map.of("type", "output_text", "text", text, "annotations", List.of())));
    item.put("status", "completed");
    item(events, "done", item);
  }

  private void item(Events events, String what, Map<String, Object> item) {
    ModelProtocol.named(
        events,
        "response.output_item." + what,
        Map.of("output_index", 0, "item", Map.copyOf(item)));
  }

  private void piece(Events events, String of, String id, String text) {
    ModelProtocol.named(
        events,
        "response." + of + ".delta",
        Map.of("item_id", id, "output_index", 0, "content_index", 0, "delta", text));
  }

  private void completed(Events events, TokenUsage used) {
    Object usage =
        Map.of(
            "input_tokens", used.read(),
            "input_tokens_details", Map.of("cached_tokens", used.cached()),
            "output_tokens", used.wrote(),
            "output_tokens_details", Map.of("reasoning_tokens", used.thoughts()),
            "total_tokens", used.read() + used.wrote());
    ModelProtocol.named(
        events,
        "response.completed",
        Map.of("response", Map.of("id", ModelProtocol.id(), "usage", usage)));
  }
}
