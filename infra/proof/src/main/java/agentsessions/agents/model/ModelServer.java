package agentsessions.agents.model;

import agentsessions.agents.model.ModelAnswer.Refusal;
import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A model server on loopback that does what the marks in the user's message ask for; see {@link
/// Script}. Speaks each {@link ModelProtocol}, streaming only, since no agent here asks for
/// anything else. It refuses what the vendors refuse: a wrong key, a model that `infra/prices.yaml`
/// does not have, a body that breaks the vendor's schema.
public final class ModelServer implements AutoCloseable {
  /// The API key that every request must bring.
  public static final String KEY = "sk-of-the-model-0123456789";

  private static final int TOO_MANY = 429;

  /// An answer that was given.
  ///
  /// @param model the model that was asked for
  /// @param used the usage that the answer stated
  public record Told(String model, TokenUsage used) {}

  private final Loopback server;
  private final Queue<String> keys = new ConcurrentLinkedQueue<>();

  private final Queue<String> models = new ConcurrentLinkedQueue<>();
  private final Queue<Told> told = new ConcurrentLinkedQueue<>();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final ModelTable table = ModelTable.read();
  private final List<ModelProtocol> dialects =
      List.of(new AnthropicMessages(), new OpenAiResponses(), new GeminiContent());

  private ModelServer(int port) {
    server = new Loopback(port, this::handle);
  }

  public static ModelServer start() {
    return start(0);
  }

  /// Starts a server on loopback.
  ///
  /// @param port 0 for any free one
  public static ModelServer start(int port) {
    return new ModelServer(port);
  }

  public URI url() {
    return URI.create(server.url());
  }

  /// All API keys that requests have brought.
  public List<String> keys() {
    return keys.stream().distinct().toList();
  }

  /// The names of models that requests have asked for.
  public List<String> models() {
    return models.stream().distinct().toList();
  }

  /// Clears the record of models that were asked for.
  public void forgetModels() {
    models.clear();
  }

  /// Clears the record of answers.
  public void forgetUse() {
    told.clear();
  }

  /// The answers since the record was cleared.
  public List<Told> told() {
    return List.copyOf(told);
  }

  /// The requests that it refused by its own rules, and why; without those that a message told it
  /// to refuse.
  public List<String> refused() {
    return List.copyOf(refused);
  }

  public ModelTable table() {
    return table;
  }

  @Override
  public void close() {
    server.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Optional<ModelProtocol> dialect = dialect(exchange.getRequestURI().getPath());
      if (dialect.isEmpty()) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        JsonNode request = ModelJson.MAPPER.readTree(body);
        String model = model(exchange.getRequestURI().getPath(), request);
        models.add(model);
        keys.add(dialect.get().key(exchange.getRequestHeaders()));
        answer(exchange, dialect.get(), model, request);
      }
    }
  }

  private Optional<ModelProtocol> dialect(String path) {
    String end = path.toLowerCase(Locale.ROOT);
    return dialects.stream()
        .filter(dialect -> end.endsWith(dialect.path().toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  /// The model's name is in the body, or in the path: `/v1beta/models/NAME:generateContent`.
  private static String model(String path, JsonNode request) {
    return request.path("model").asText(path.replaceFirst("^.*/([^/:]*):[^/]*$", "$1"));
  }

  private void answer(HttpExchange exchange, ModelProtocol dialect, String model, JsonNode request)
      throws IOException {
    Optional<Refusal> refusal = refusal(exchange.getRequestHeaders(), dialect, model, request);
    if (refusal.isPresent()) {
      refused.add(model + ": " + refusal.get());
      refuse(exchange, dialect, refusal.get());
      return;
    }
    ModelRequest conversation = dialect.read(request);
    TokenUsage used = ModelScript.used(conversation);
    switch (ModelScript.answer(conversation)) {
      case Refusal asked -> refuse(exchange, dialect, asked);
      case ModelAnswer.Text(String text) -> {
        told.add(new Told(model, used));
        stream(exchange, events -> dialect.text(events, text, used));
      }
      case ModelAnswer.Call call -> {
        told.add(new Told(model, used));
        stream(exchange, events -> dialect.call(events, call, used));
      }
    }
  }

  private Optional<Refusal> refusal(
      Headers headers, ModelProtocol dialect, String model, JsonNode request) {
    if (!dialect.key(headers).equals(KEY)) {
      return Optional.of(dialect.wrongKey());
    }
    return dialect
        .refusal(headers)
        .or(() -> dialect.schema().mistake(request).map(why -> new Refusal(400, why)))
        .or(() ->
            model.startsWith(dialect.family()) && table.has(model)
                ? Optional.empty()
                : Optional.of(new Refusal(404, "there is no model " + model)));
  }

  private static void refuse(HttpExchange exchange, ModelProtocol dialect, Refusal refusal)
      throws IOException {
    if (refusal.status() == TOO_MANY) {
      exchange.getResponseHeaders().set("Retry-After", "1");
    }
    byte[] bytes = ModelJson.text(dialect.error(refusal)).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(refusal.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private interface Writing {
    void to(ModelProtocol.Events events);
  }

  private static void stream(HttpExchange exchange, Writing writing) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      writing.to((name, data) -> write(out, name, data));
    } catch (UncheckedIOException agentLeft) {
      // Interrupted: the agent has stopped reading.
    }
  }

  private static void write(OutputStream out, String name, Object data) {
    String line = "data: " + (data instanceof String text ? text : ModelJson.text(data)) + "\n\n";
    try {
      out.write(
          (name.isEmpty() ? line : "event: " + name + "\n" + line)
              .getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
