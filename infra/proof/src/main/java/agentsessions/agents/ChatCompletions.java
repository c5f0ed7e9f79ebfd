package agentsessions.agents;

import agentsessions.agents.ModelRequest.Item;
import agentsessions.agents.ModelRequest.Role;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// OpenAI's chat completions, which many others speak too: opencode.
final class ChatCompletions implements Dialect {
  @Override
  public String path() {
    return "/chat/completions";
  }

  @Override
  public ModelRequest read(JsonNode request) {
    List<Item> items = new ArrayList<>();
    for (JsonNode message : request.path("messages")) {
      Role role = Dialect.role(message.path("role"));
      for (JsonNode part : Dialect.parts(message.path("content"))) {
        items.add(new Item(role, part.path("text").asText()));
      }
    }
    return new ModelRequest(
        items, Dialect.shells(request.path("tools"), "/function/name", "/function/parameters"));
  }

  @Override
  public void text(Events events, String text) {
    chunk(events, Map.of("role", "assistant", "content", text), "stop");
  }

  @Override
  public void call(Events events, ModelAnswer.Call call) {
    Object function = Map.of("name", call.tool().name(), "arguments", Dialect.arguments(call));
    Object tool = Map.of("index", 0, "id", Dialect.id(), "type", "function", "function", function);
    chunk(
        events,
        Map.of("role", "assistant", "content", call.say(), "tool_calls", List.of(tool)),
        "tool_calls");
  }

  private void chunk(Events events, Object delta, String reason) {
    choice(events, Map.of("index", 0, "delta", delta));
    choice(events, Map.of("index", 0, "delta", Map.of(), "finish_reason", reason));
    events.send("", "[DONE]");
  }

  private void choice(Events events, Object choice) {
    Map<String, Object> chunk =
        Map.of(
            "id", "c",
            "object", "chat.completion.chunk",
            "created", 1,
            "model", "scripted",
            "choices", List.of(choice));
    events.send("", chunk);
  }
}
