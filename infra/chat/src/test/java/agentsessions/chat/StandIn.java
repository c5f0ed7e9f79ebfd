package agentsessions.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import agentsessions.chat.api.Access;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// A scripted service on loopback: gives each of a test's responses once, and repeats the last one.
public final class StandIn implements AutoCloseable {
  public static final String KEY = "ask_0000000000000000_secret_000000";

  /// A request that was received.
  public record Request(
      String line,
      String key,
      String userAgent,
      String idempotencyKey,
      String lastEventId,
      String body) {}

  /// @param isWhole if false, the connection ends before the body does
  private record Answer(int status, String body, Map<String, String> headers, boolean isWhole) {}

  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  public StandIn() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  /// Adds the response to the next request of a kind.
  ///
  /// @param line method and path, such as `GET /sessions/a`, with the query if there is one
  public void answers(String line, int status, String body, String... header) {
    Map<String, String> headers = header.length == 0 ? Map.of() : Map.of(header[0], header[1]);
    add(line, new Answer(status, body.replace("{base}", base().toString()), headers, true));
  }

  /// Sends the head and the beginning of a response, and then nothing more.
  public void breaksOff(String line, int status, String beginning) {
    add(line, new Answer(status, beginning, Map.of(), false));
  }

  private void add(String line, Answer answer) {
    answers.computeIfAbsent(line, key -> new ArrayDeque<>()).add(answer);
  }

  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/rest/v1");
  }

  public Access access() {
    return new Access(base(), KEY, "The key is from the test", List.of());
  }

  public List<Request> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString().replace("/rest/v1", "");
    String line = exchange.getRequestMethod() + " " + path;
    requests.add(
        new Request(
            line,
            header(exchange, "Authorization"),
            header(exchange, "User-Agent"),
            header(exchange, "Idempotency-Key"),
            header(exchange, "Last-Event-ID"),
            new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    send(exchange, next(line));
  }

  private Answer next(String line) {
    Deque<Answer> queue = answers.getOrDefault(line, new ArrayDeque<>());
    synchronized (queue) {
      Answer unknown =
          line.startsWith("GET /requests?")
              ? new Answer(200, Pages.waiting(), Map.of(), true)
              : new Answer(404, problem("NOT_FOUND", line), Map.of(), true);
      return queue.size() > 1
          ? queue.removeFirst()
          : Objects.requireNonNullElse(queue.peekFirst(), unknown);
    }
  }

  public static String problem(String code, String message) {
    return """
    {"code": "%s", "message": "%s", "request_id": "r"}\
    """
        .formatted(code, message);
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = answer.body().getBytes(UTF_8);
    int length = answer.isWhole() ? body.length : body.length + 1;
    exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
    exchange.getResponseBody().write(body);
    exchange.getResponseBody().flush();
    exchange.close();
  }
}
