package agentsessions.agents;

import agentsessions.agents.ModelRequest.Item;
import agentsessions.agents.ModelRequest.Role;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
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
  public void text(Events events, String text, Used used) {
    chunk(events, Map.of("role", "assistant", "content", text), "stop", used);
  }

  @Override
  public void call(Events events, ModelAnswer.Call call, Used used) {
    Object function = Map.of("name", call.tool().name(), "arguments", Dialect.arguments(call));
    Object tool = Map.of("index", 0, "id", Dialect.id(), "type", "function", "function", function);
    chunk(
        events,
        Map.of("role", "assistant", "content", call.say(), "tool_calls", List.of(tool)),
        "tool_calls",
        used);
  }

  private void chunk(Events events, Object delta, String reason, Used used) {
    choice(events, Map.of("index", 0, "delta", delta));
    choice(events, Map.of("index", 0, "delta", Map.of(), "finish_reason", reason));
    if (used.asked()) {
      Object usage =
          Map.of(
              "prompt_tokens", used.read(),
              "completion_tokens", used.wrote(),
              "total_tokens", used.read() + used.wrote(),
              "prompt_tokens_details", Map.of("cached_tokens", used.cached()));
      send(events, Map.of("choices", List.of(), "usage", usage));
    }
    events.send("", "[DONE]");
  }

  private void choice(Events events, Object choice) {
    send(events, Map.of("choices", List.of(choice)));
  }

  private void send(Events events, Map<String, Object> fields) {
    Map<String, Object> chunk = new HashMap<>(fields);
    chunk.putAll(
        Map.of("id", "c", "object", "chat.completion.chunk", "created", 1, "model", "scripted"));
    events.send("", chunk);
  }
}
