package agentsessions.bench;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The model of the opencode that is measured: it answers at once, by a call of the shell with the
/// user's message, and then by a text. OpenAI's chat completions, streaming.
final class ShellModel implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Loopback server = new Loopback(this::answer);
  private final Map<String, Long> asked = new ConcurrentHashMap<>();

  String url() {
    return server.url() + "/v1";
  }

  /// When it was first asked about a message, which is waited for; `System.nanoTime`.
  long asked(String message) {
    Await.await("a question about " + message, TIMEOUT, Duration.ofMillis(1))
        .until(() -> asked.containsKey(message));
    return asked.getOrDefault(message, 0L);
  }

  @Override
  public void close() {
    server.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    long now = System.nanoTime();
    try (exchange) {
      JsonNode request = Client.JSON.readTree(exchange.getRequestBody().readAllBytes());
      JsonNode last = request.path("messages").path(request.path("messages").size() - 1);
      boolean calls = last.path("role").asText().equals("user") && !request.path("tools").isEmpty();
      String message = text(last.path("content"));
      if (calls) {
        asked.putIfAbsent(message, now);
      }
      byte[] chunks = chunks(calls ? call(message) : Map.of("content", "done"), calls);
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, chunks.length);
      exchange.getResponseBody().write(chunks);
    }
  }

  private static String text(JsonNode content) {
    return content.isTextual()
        ? content.asText()
        : String.join("", content.findValuesAsText("text"));
  }

  private static Map<String, ?> call(String command) {
    String arguments = Client.text(Map.of("command", command, "description", "a command"));
    return Map.of(
        "tool_calls",
        List.of(
            Map.of(
                "index",
                0,
                "id",
                "call_" + System.nanoTime(),
                "type",
                "function",
                "function",
                Map.of("name", "bash", "arguments", arguments))));
  }

  private static byte[] chunks(Map<String, ?> delta, boolean calls) {
    return (chunk(Map.of("index", 0, "delta", delta))
            + chunk(
                Map.of(
                    "index", 0, "delta", Map.of(), "finish_reason", calls ? "tool_calls" : "stop"))
            + "data: [DONE]\n\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String chunk(Map<String, ?> choice) {
    Map<String, ?> chunk =
        Map.of("id", "c", "object", "chat.completion.chunk", "choices", List.of(choice));
    return "data: " + Client.text(chunk) + "\n\n";
  }
}
