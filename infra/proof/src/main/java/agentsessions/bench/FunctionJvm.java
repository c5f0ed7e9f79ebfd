package agentsessions.bench;

import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// One execution environment of a function, as Lambda makes it: a JVM with the runtime's client,
/// the unpacked archive, and a Runtime API that has one request for it.
final class FunctionJvm implements AutoCloseable {
  private static final String CLIENT = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";
  private static final String NEXT = "/2018-06-01/runtime/invocation/next";
  private static final String FAULT = "\"statusCode\":5";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /// The figures of one cold start.
  ///
  /// @param initMillis from the start of the JVM until it asks for a request
  /// @param firstMillis from the request to its answer
  /// @param cpuMillis processor time of the process until that answer
  /// @param classes classes loaded until that answer
  record Figures(double initMillis, double firstMillis, double cpuMillis, double classes) {}

  private final Loopback api;
  private final String request;
  private final CompletableFuture<Long> asked = new CompletableFuture<>();
  private final CompletableFuture<Long> answered = new CompletableFuture<>();

  private FunctionJvm(String request) throws IOException {
    this.request = request;
    api = new Loopback(this::serve);
  }

  /// @param folder for the files that the JVM writes
  /// @param archive folder with the function's unpacked archive
  static Figures start(
      Path folder,
      String handler,
      Path archive,
      Path client,
      Map<String, String> settings,
      String request)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path loaded = Files.createTempDirectory(folder, "function").resolve("classes.log");
    try (FunctionJvm jvm = new FunctionJvm(request)) {
      ProcessBuilder command =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Djava.io.tmpdir=" + loaded.getParent(),
                  "-Xlog:class+load:file=" + loaded,
                  "-cp",
                  archive + ":" + archive + "/lib/*:" + client + "/*",
                  CLIENT,
                  handler)
              .redirectErrorStream(true)
              .redirectOutput(loaded.resolveSibling("function.log").toFile());
      command.environment().clear();
      command.environment().putAll(settings);
      command.environment().put("AWS_EXECUTION_ENV", "AWS_Lambda_java25");
      command.environment().put("AWS_LAMBDA_RUNTIME_API", jvm.address());
      long began = System.nanoTime();
      Process process = command.start();
      CompletableFuture<Void> _ =
          process
              .onExit()
              .thenRun(() -> jvm.fail("it ended: see " + loaded.resolveSibling("function.log")));
      try {
        long asked = jvm.asked.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        long answered = jvm.answered.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        return new Figures(
            (asked - began) / 1e6,
            (answered - asked) / 1e6,
            process.info().totalCpuDuration().orElseThrow().toMillis(),
            classes(loaded));
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  @Override
  public void close() {
    api.close();
  }

  private String address() {
    return "127.0.0.1:" + api.port();
  }

  private static double classes(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" source: ")).count();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    long now = System.nanoTime();
    byte[] body = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    if (path.equals(NEXT)) {
      next(exchange, now);
    } else {
      send(exchange, 202, new byte[0]);
      take(path, new String(body, StandardCharsets.UTF_8), now);
    }
  }

  private void take(String path, String answer, long now) {
    if (path.endsWith("/response") && !answer.contains(FAULT)) {
      answered.complete(now);
    } else {
      fail(answer);
    }
  }

  private void fail(String why) {
    IOException failed = new IOException(why);
    asked.completeExceptionally(failed);
    answered.completeExceptionally(failed);
  }

  /// Hands out the one request; a second call waits until the process ends.
  private void next(HttpExchange exchange, long now) throws IOException {
    if (asked.complete(now)) {
      exchange
          .getResponseHeaders()
          .putAll(
              Map.of(
                  "Content-Type", // without it the client's native part crashes
                  List.of("application/json"),
                  "Lambda-Runtime-Aws-Request-Id",
                  List.of("1"),
                  "Lambda-Runtime-Invoked-Function-Arn",
                  List.of("arn:aws:lambda:us-east-1:000000000000:function:cold"),
                  "Lambda-Runtime-Deadline-Ms",
                  List.of(Long.toString(System.currentTimeMillis() + TIMEOUT.toMillis()))));
      send(exchange, 200, request.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
