package agentsessions.agents;

import agentsessions.agents.ModelRequest.Item;
import agentsessions.agents.ModelRequest.Role;
import agentsessions.agents.ModelRequest.Tool;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Google's generateContent: gemini.
final class GeminiContent implements Dialect {
  @Override
  public String path() {
    return "GenerateContent";
  }

  @Override
  public ModelRequest read(JsonNode request) {
    List<Item> items = new ArrayList<>();
    for (JsonNode content : request.path("contents")) {
      for (JsonNode part : content.path("parts")) {
        Role role = part.has("functionResponse") ? Role.TOOL : Dialect.role(content.path("role"));
        items.add(new Item(role, part.path("text").asText()));
      }
    }
    List<Tool> tools = new ArrayList<>();
    for (JsonNode group : request.path("tools")) {
      tools.addAll(
          Dialect.shells(group.path("functionDeclarations"), "/name", "/parametersJsonSchema"));
    }
    return new ModelRequest(items, tools);
  }

  @Override
  public void text(Events events, String text, Used used) {
    // In two pieces, since real ones come in many.
    int middle = text.length() / 2;
    candidate(events, List.of(Map.of("text", text.substring(0, middle))));
    end(events, List.of(Map.of("text", text.substring(middle))), used);
  }

  @Override
  public void call(Events events, ModelAnswer.Call call, Used used) {
    if (!call.say().isEmpty()) {
      candidate(events, List.of(Map.of("text", call.say())));
    }
    Object arguments = Map.of(call.tool().argument(), call.argument());
    end(
        events,
        List.of(Map.of("functionCall", Map.of("name", call.tool().name(), "args", arguments))),
        used);
  }

  private void candidate(Events events, List<?> parts) {
    Object content = Map.of("role", "model", "parts", parts);
    events.send("", Map.of("candidates", List.of(Map.of("index", 0, "content", content))));
  }

  private void end(Events events, List<?> parts, Used used) {
    Object content = Map.of("role", "model", "parts", parts);
    Map<String, Object> last = Map.of("index", 0, "content", content, "finishReason", "STOP");
    Object usage =
        Map.of(
            "promptTokenCount", used.read(),
            "cachedContentTokenCount", used.cached(),
            "candidatesTokenCount", used.output(),
            "thoughtsTokenCount", used.thoughts(),
            "totalTokenCount", used.read() + used.wrote());
    events.send("", Map.of("candidates", List.of(last), "usageMetadata", usage));
  }
}
