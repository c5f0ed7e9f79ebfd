package agentsessions.agents.model;

import agentsessions.agents.model.ModelRequest.Item;
import agentsessions.agents.model.ModelRequest.Role;
import agentsessions.agents.model.ModelRequest.Tool;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Google's generateContent protocol, which gemini speaks.
final class GeminiContent implements ModelProtocol {
  private static final Map<Integer, String> STATUSES =
      Map.of(
          400, "INVALID_ARGUMENT",
          401, "UNAUTHENTICATED",
          403, "PERMISSION_DENIED",
          404, "NOT_FOUND",
          429, "RESOURCE_EXHAUSTED",
          500, "INTERNAL",
          503, "UNAVAILABLE");

  private final BodySchema schema = new BodySchema("generate-content.yaml");

  @Override
  public String path() {
    return "GenerateContent";
  }

  @Override
  public String key(Headers headers) {
    return ModelProtocol.header(headers, "x-goog-api-key");
  }

  @Override
  public String family() {
    return "gemini-";
  }

  @Override
  public BodySchema schema() {
    return schema;
  }

  /// Google answers a wrong key with 400, as any other wrong argument.
  @Override
  public ModelAnswer.Refusal wrongKey() {
    return new ModelAnswer.Refusal(400, "the key is wrong");
  }

  @Override
  public Object error(ModelAnswer.Refusal refusal) {
    return Map.of(
        "error",
        Map.of(
            "code", refusal.status(),
            "message", refusal.reason(),
            "status", STATUSES.getOrDefault(refusal.status(), "UNKNOWN")));
  }

  @Override
  public ModelRequest read(JsonNode request) {
    List<Item> items = new ArrayList<>();
    for (JsonNode content : request.path("contents")) {
      for (JsonNode part : content.path("parts")) {
        Role role =
            part.has("functionResponse") ? Role.TOOL : ModelProtocol.role(content.path("role"));
        items.add(
            role == Role.TOOL
                ? new Item(role, part.path("functionResponse").toString())
                : new Item(role, part.path("text").asText()));
      }
    }
    List<Tool> tools = new ArrayList<>();
    for (JsonNode group : request.path("tools")) {
      tools.addAll(
          ModelProtocol.shells(
              group.path("functionDeclarations"), "/name", "/parametersJsonSchema"));
    }
    return new ModelRequest(items, tools);
  }

  @Override
  public void text(Events events, String text, TokenUsage used) {
    // In two pieces, since a vendor's text comes in many.
    int middle = text.length() / 2;
    candidate(events, List.of(Map.of("text", text.substring(0, middle))));
    end(events, List.of(Map.of("text", text.substring(middle))), used);
  }

  @Override
  public void call(Events events, ModelAnswer.Call call, TokenUsage used) {
    if (!call.say().isEmpty()) {
      candidate(events, List.of(Map.of("text", call.say())));
    }
    end(
        events,
        List.of(Map.of("functionCall", Map.of("name", call.name(), "args", call.input()))),
        used);
  }

  private void candidate(Events events, List<?> parts) {
    Object content = Map.of("role", "model", "parts", parts);
    events.send("", Map.of("candidates", List.of(Map.of("index", 0, "content", content))));
  }

  private void end(Events events, List<?> parts, TokenUsage used) {
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
