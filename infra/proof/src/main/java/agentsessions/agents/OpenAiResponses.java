package agentsessions.agents;

import agentsessions.agents.ModelRequest.Item;
import agentsessions.agents.ModelRequest.Role;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// OpenAI's Responses: codex.
final class OpenAiResponses implements Dialect {
  @Override
  public String path() {
    return "/responses";
  }

  @Override
  public ModelRequest read(JsonNode request) {
    List<Item> items = new ArrayList<>();
    for (JsonNode item : request.path("input")) {
      boolean result = item.path("type").asText().endsWith("_call_output");
      String text = String.join("\n", item.path("content").findValuesAsText("text"));
      items.add(new Item(result ? Role.TOOL : Dialect.role(item.path("role")), text));
    }
    return new ModelRequest(items, Dialect.shells(request.path("tools"), "/name", "/parameters"));
  }

  @Override
  public void text(Events events, String text, Used used) {
    Dialect.named(events, "response.created", Map.of("response", Map.of("id", Dialect.id())));
    say(events, text);
    completed(events, used);
  }

  @Override
  public void call(Events events, ModelAnswer.Call call, Used used) {
    Dialect.named(events, "response.created", Map.of("response", Map.of("id", Dialect.id())));
    if (!call.say().isEmpty()) {
      say(events, call.say());
    }
    item(
        events,
        Map.of(
            "type", "function_call",
            "id", Dialect.id(),
            "call_id", Dialect.id(),
            "name", call.tool().name(),
            "arguments", Dialect.arguments(call)));
    completed(events, used);
  }

  private void say(Events events, String text) {
    Object content = Map.of("type", "output_text", "text", text, "annotations", List.of());
    item(
        events,
        Map.of(
            "type",
            "message",
            "id",
            Dialect.id(),
            "role",
            "assistant",
            "content",
            List.of(content)));
  }

  private void item(Events events, Object item) {
    Dialect.named(events, "response.output_item.done", Map.of("output_index", 0, "item", item));
  }

  private void completed(Events events, Used used) {
    Object usage =
        Map.of(
            "input_tokens", used.read(),
            "input_tokens_details", Map.of("cached_tokens", used.cached()),
            "output_tokens", used.wrote(),
            "output_tokens_details", Map.of("reasoning_tokens", used.thoughts()),
            "total_tokens", used.read() + used.wrote());
    Dialect.named(
        events,
        "response.completed",
        Map.of("response", Map.of("id", Dialect.id(), "usage", usage)));
  }
}
