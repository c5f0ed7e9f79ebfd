package agentsessions.agents.model;

import agentsessions.agents.model.ModelRequest.Item;
import agentsessions.agents.model.ModelRequest.Role;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Anthropic's Messages protocol, which claude speaks.
final class AnthropicMessages implements ModelProtocol {
  private static final Map<Integer, String> ERRORS =
      Map.of(
          400, "invalid_request_error",
          401, "authentication_error",
          403, "permission_error",
          404, "not_found_error",
          413, "request_too_large",
          429, "rate_limit_error",
          500, "api_error",
          529, "overloaded_error");

  private final BodySchema schema = new BodySchema("messages.yaml");

  @Override
  public String path() {
    return "/messages";
  }

  @Override
  public String key(Headers headers) {
    return ModelProtocol.header(headers, "x-api-key");
  }

  @Override
  public String family() {
    return "claude-";
  }

  @Override
  public BodySchema schema() {
    return schema;
  }

  @Override
  public Optional<ModelAnswer.Refusal> refusal(Headers headers) {
    return ModelProtocol.header(headers, "anthropic-version").isEmpty()
        ? Optional.of(new ModelAnswer.Refusal(400, "the header anthropic-version is missing"))
        : Optional.empty();
  }

  @Override
  public Object error(ModelAnswer.Refusal refusal) {
    Object error =
        Map.of(
            "type",
            ERRORS.getOrDefault(refusal.status(), "api_error"),
            "message",
            refusal.reason());
    return Map.of("type", "error", "error", error, "request_id", ModelProtocol.id());
  }

  @Override
  public ModelRequest read(JsonNode request) {
    List<Item> items = new ArrayList<>();
    for (JsonNode message : request.path("messages")) {
      Role role = ModelProtocol.role(message.path("role"));
      for (JsonNode part : ModelProtocol.parts(message.path("content"))) {
        boolean result = part.path("type").asText().equals("tool_result");
        items.add(
            result
                ? new Item(Role.TOOL, part.path("content").toString())
                : new Item(role, part.path("text").asText()));
      }
    }
    return new ModelRequest(
        items, ModelProtocol.shells(request.path("tools"), "/name", "/input_schema"));
  }

  @Override
  public void text(Events events, String text, TokenUsage used) {
    start(events, used);
    say(events, 0, text);
    end(events, "end_turn", used);
  }

  @Override
  public void call(Events events, ModelAnswer.Call call, TokenUsage used) {
    start(events, used);
    if (!call.say().isEmpty()) {
      say(events, 0, call.say());
    }
    int index = call.say().isEmpty() ? 0 : 1;
    Map<String, Object> tool =
        Map.of(
            "type", "tool_use", "id", ModelProtocol.id(), "name", call.name(), "input", Map.of());
    block(
        events,
        index,
        tool,
        Map.of("type", "input_json_delta", "partial_json", ModelJson.text(call.input())));
    end(events, "tool_use", used);
  }

  private void start(Events events, TokenUsage used) {
    Map<String, Object> message =
        Map.of(
            "id",
            ModelProtocol.id(),
            "type",
            "message",
            "role",
            "assistant",
            "model",
            "scripted",
            "content",
            List.of(),
            "usage",
            Map.of(
                "input_tokens", used.input(),
                "cache_read_input_tokens", used.cached(),
                "cache_creation_input_tokens", used.written(),
                "output_tokens", 1));
    ModelProtocol.named(events, "message_start", Map.of("message", message));
  }

  private void say(Events events, int index, String text) {
    block(
        events,
        index,
        Map.of("type", "text", "text", ""),
        Map.of("type", "text_delta", "text", text));
  }

  private void block(Events events, int index, Object block, Object delta) {
    ModelProtocol.named(
        events, "content_block_start", Map.of("index", index, "content_block", block));
    ModelProtocol.named(events, "content_block_delta", Map.of("index", index, "delta", delta));
    ModelProtocol.named(events, "content_block_stop", Map.of("index", index));
  }

  private void end(Events events, String reason, TokenUsage used) {
    Object usage = Map.of("output_tokens", used.wrote());
    ModelProtocol.named(
        events, "message_delta", Map.of("delta", Map.of("stop_reason", reason), "usage", usage));
    ModelProtocol.named(events, "message_stop", Map.of());
  }
}
