package agentsessions.local.process;

import agentsessions.local.steps.StepError;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Lambda Runtime API for one process: it asks for the next invocation, as many at once as it
/// likes, and posts answers.
///
/// One server for one process: when that process has ended, its server is closed with everything it
/// had in hand.
final class RuntimeApi implements AutoCloseable {
  private static final String ROOT = "/2018-06-01/runtime/";
  private static final String ARN = "arn:aws:lambda:us-east-1:000000000000:function:Runner";
  private static final Duration LONGEST = Duration.ofMinutes(65);
  private static final Logger log = LoggerFactory.getLogger(RuntimeApi.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BlockingQueue<Invocation> waiting;
  private final Map<String, Invocation> inHand = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  /// @param waiting invocations that nobody has taken yet
  RuntimeApi(BlockingQueue<Invocation> waiting) {
    this.waiting = waiting;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext(ROOT, this::serve);
    server.start();
  }

  /// One call of the function.
  static final class Invocation {
    private final String id = UUID.randomUUID().toString();
    private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    private final byte[] payload;

    Invocation(byte[] payload) {
      this.payload = payload;
    }

    /// The function's answer, or a [StepError].
    CompletableFuture<byte[]> answer() {
      return answer;
    }
  }

  /// What a runtime finds in `AWS_LAMBDA_RUNTIME_API`.
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /// The process is gone: what it had in hand fails, what still waits is left for the next one.
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    inHand
        .values()
        .forEach(lost -> fail(lost, "Runtime.ExitError", "the runner's process has ended"));
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().substring(ROOT.length()).split("/");
      switch (exchange.getRequestMethod() + " " + path[path.length - 1]) {
        case "GET next" -> next(exchange);
        case "POST response" ->
            accept(exchange, path, (invocation, body) -> invocation.answer().complete(body));
        case "POST error" -> accept(exchange, path, RuntimeApi::failed);
        default -> exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  private void next(HttpExchange exchange) throws IOException {
    Invocation invocation;
    try {
      invocation = waiting.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    inHand.put(invocation.id, invocation);
    try {
      deliver(exchange, invocation);
    } catch (IOException e) {
      // Whoever asked is gone, so this invocation has not begun.
      inHand.remove(invocation.id);
      waiting.add(invocation);
      throw e;
    }
  }

  private static void deliver(HttpExchange exchange, Invocation invocation) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Lambda-Runtime-Aws-Request-Id", invocation.id);
    exchange.getResponseHeaders().set("Lambda-Runtime-Invoked-Function-Arn", ARN);
    exchange
        .getResponseHeaders()
        .set(
            "Lambda-Runtime-Deadline-Ms",
            Long.toString(Instant.now().plus(LONGEST).toEpochMilli()));
    exchange.sendResponseHeaders(200, invocation.payload.length);
    exchange.getResponseBody().write(invocation.payload);
  }

  private interface Outcome {
    void apply(Invocation invocation, byte[] body);
  }

  private void accept(HttpExchange exchange, String[] path, Outcome outcome) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    @Nullable Invocation invocation = path.length == 3 ? inHand.remove(path[1]) : null;
    if (path[0].equals("init")) {
      log.error("The runner cannot start: {}", new String(body, StandardCharsets.UTF_8));
    } else if (invocation != null) {
      outcome.apply(invocation, body);
    }
    exchange.sendResponseHeaders(invocation != null || path[0].equals("init") ? 202 : 404, -1);
  }

  private static void failed(Invocation invocation, byte[] body) {
    try {
      JsonNode error = JSON.readTree(body);
      fail(
          invocation,
          error.path("errorType").asText("Lambda.Unknown"),
          error.path("errorMessage").asText());
    } catch (IOException e) {
      fail(invocation, "Lambda.Unknown", "an error that is not JSON");
    }
  }

  private static void fail(Invocation invocation, String error, String cause) {
    invocation.answer().completeExceptionally(new StepError(error, cause));
  }
}
