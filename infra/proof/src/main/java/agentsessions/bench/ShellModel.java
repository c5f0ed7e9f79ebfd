package agentsessions.bench;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The model of a server that is measured: it answers at once, by a call of the shell with the
/// user's message, and then by a text. OpenAI's chat completions, streaming if asked to.
final class ShellModel implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Loopback server = new Loopback(this::answer);
  private final Map<String, Long> asked = new ConcurrentHashMap<>();
  private final String shell;
  private final Map<String, ?> rest;

  /// @param shell the name of the tool that takes a `command`
  /// @param rest what else it must be given
  ShellModel(String shell, Map<String, ?> rest) {
    this.shell = shell;
    this.rest = rest;
  }

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
      Map<String, ?> said = calls ? call(message) : Map.of("content", "done");
      String end = calls ? "tool_calls" : "stop";
      if (request.path("stream").asBoolean()) {
        send(exchange, "text/event-stream", chunks(said, end));
      } else {
        send(exchange, "application/json", completion(said, end));
      }
    }
  }

  private static void send(HttpExchange exchange, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private static String text(JsonNode content) {
    return content.isTextual()
        ? content.asText()
        : String.join("", content.findValuesAsText("text"));
  }

  private Map<String, ?> call(String command) {
    Map<String, Object> arguments = new HashMap<>(rest);
    arguments.put("command", command);
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
                Map.of("name", shell, "arguments", Client.text(arguments)))));
  }

  private static String completion(Map<String, ?> message, String end) {
    return answer("chat.completion", Map.of("index", 0, "message", message, "finish_reason", end));
  }

  private static String chunks(Map<String, ?> delta, String end) {
    return chunk(Map.of("index", 0, "delta", delta))
        + chunk(Map.of("index", 0, "delta", Map.of(), "finish_reason", end))
        + "data: [DONE]\n\n";
  }

  private static String chunk(Map<String, ?> choice) {
    return "data: " + answer("chat.completion.chunk", choice) + "\n\n";
  }

  private static String answer(String object, Map<String, ?> choice) {
    return Client.text(Map.of("id", "c", "object", object, "choices", List.of(choice)));
  }
}
