package agentsessions.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A model on loopback that does what the user's message says; see {@link Script}. Speaks each
/// {@link Dialect}, streaming only: no agent here asks for anything else.
final class ModelServer implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> KEYS = List.of("authorization", "x-api-key", "x-goog-api-key");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<String> keys = new ConcurrentLinkedQueue<>();

  private final Queue<String> models = new ConcurrentLinkedQueue<>();
  private final Queue<Used> told = new ConcurrentLinkedQueue<>();

  private ModelServer(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  static ModelServer start() {
    return start(0);
  }

  /// @param port 0 for any
  static ModelServer start(int port) {
    try {
      InetSocketAddress place = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      return new ModelServer(HttpServer.create(place, 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /// All credentials that requests have brought.
  List<String> keys() {
    return keys.stream().distinct().toList();
  }

  /// The models that were asked for by name.
  List<String> models() {
    return models.stream().distinct().toList();
  }

  /// From now on only those that are asked for again count.
  void forgetModels() {
    models.clear();
  }

  /// What each answer said that it used, from now on.
  void forgetUse() {
    told.clear();
  }

  /// What each answer has said since.
  List<Used> told() {
    return List.copyOf(told);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }

  static String text(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      KEYS.stream()
          .flatMap(
              name -> Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).stream())
          .forEach(keys::add);
      byte[] body = exchange.getRequestBody().readAllBytes();
      Optional<Dialect> dialect = Dialect.of(exchange.getRequestURI().getPath());
      if (dialect.isEmpty()) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        JsonNode request = JSON.readTree(body);
        models.add(model(exchange.getRequestURI().getPath(), request));
        answer(exchange, dialect.get(), request);
      }
    }
  }

  /// It is in the body, or in the path: `/v1beta/models/NAME:generateContent`.
  private static String model(String path, JsonNode request) {
    return request.path("model").asText(path.replaceFirst("^.*/([^/:]*):[^/]*$", "$1"));
  }

  private void answer(HttpExchange exchange, Dialect dialect, JsonNode request) throws IOException {
    ModelRequest conversation = dialect.read(request);
    Used used = Script.used(conversation, request.at("/stream_options/include_usage").asBoolean());
    switch (Script.answer(conversation)) {
      case ModelAnswer.Refusal refusal -> refuse(exchange, refusal);
      case ModelAnswer.Text(String text) -> {
        told.add(used);
        stream(exchange, events -> dialect.text(events, text, used));
      }
      case ModelAnswer.Call call -> {
        told.add(used);
        stream(exchange, events -> dialect.call(events, call, used));
      }
    }
  }

  /// The error body of all four at once.
  private static void refuse(HttpExchange exchange, ModelAnswer.Refusal refusal)
      throws IOException {
    Map<String, Object> error =
        Map.of(
            "type",
            "invalid_request_error",
            "message",
            refusal.reason(),
            "code",
            refusal.status(),
            "status",
            "INVALID_ARGUMENT");
    send(exchange, refusal.status(), Map.of("type", "error", "error", error));
  }

  private static void send(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = text(body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private interface Writing {
    void to(Dialect.Events events);
  }

  private static void stream(HttpExchange exchange, Writing writing) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      writing.to((name, data) -> write(out, name, data));
    } catch (UncheckedIOException agentLeft) {
      // Interrupted: nobody reads any more.
    }
  }

  private static void write(OutputStream out, String name, Object data) {
    String line = "data: " + (data instanceof String text ? text : text(data)) + "\n\n";
    try {
      out.write(
          (name.isEmpty() ? line : "event: " + name + "\n" + line)
              .getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
