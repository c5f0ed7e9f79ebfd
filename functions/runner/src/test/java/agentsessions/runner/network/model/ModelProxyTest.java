package agentsessions.runner.network.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An agent that reaches its model and nothing else, with a key that it never sees.
class ModelProxyTest {
  /// Sends `GET` requests with bash alone.
  private static final String ASK =
      """
      trap '' PIPE # a refusal may come, and the connection end, before all lines are written
      ask() {
        exec 9<>"/dev/tcp/127.0.0.1/$AGENT_MODEL_PORT"
        printf '%s\\r\\nHost: x\\r\\nAgent-Model-Secret: %s\\r\\nX-Key: mine\\r\\nConnection: close\\r\\n\\r\\n' \\
          "$1" "${AGENT_MODEL_SECRET:-none}" >&9 2>/dev/null || true
        timeout 20 ${2:-cat} <&9 || true
      }
      """;

  /// An argument of the bridge, whichever program it is.
  private static final String BRIDGE = "/run/way-18080";

  @TempDir Path folder;
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final CountDownLatch secondPiece = new CountDownLatch(1);
  @AutoClose private Loopback model;

  @BeforeEach
  void open() throws IOException {
    model = new Loopback(this::answer);
  }

  @Test
  void requestsComeToTheModelWithTheKeyAndWithoutTheAgents() throws IOException {
    try (Bench bench = withModel(Bench.sandboxed(folder))) {
      String reply = reply(bench, "ask 'GET /messages?a=b HTTP/1.1'; env");
      assertTrue(reply.startsWith("HTTP/1.1 200 OK"), reply);
      assertTrue(reply.contains("first\n"), reply);
      assertFalse(reply.contains("s3cret"), reply);
      assertEquals("GET /base/messages?a=b s3cret 127.0.0.1:" + port(), asked.remove());
    }
  }

  @Test
  void nothingElseCanBeReached() throws IOException {
    try (Bench bench = withModel(Bench.sandboxed(folder))) {
      for (String line :
          new String[] {
            "GET /../secret HTTP/1.1",
            "GET /%2e%2e/secret HTTP/1.1",
            "GET http://example.com:81/x HTTP/1.1",
            "CONNECT 127.0.0.1:" + port() + " HTTP/1.1",
          }) {
        assertTrue(
            reply(bench, "ask '%s' 'head -n 1'".formatted(line)).startsWith("HTTP/1.1 4"), line);
      }
      assertEquals(0, asked.size());
      String direct = "(exec 8<>/dev/tcp/127.0.0.1/%d) 2>/dev/null || echo none".formatted(port());
      assertEquals("none", reply(bench, direct));
    }
  }

  @Test
  void piecesComeAsTheyAreSent() throws IOException {
    try (Bench bench = withModel(Bench.sandboxed(folder))) {
      String script =
          "while read -r line; do [ \"$line\" = first ] && touch seen; echo \"$line\"; done"
              + " < <(ask 'GET /slow HTTP/1.1')";
      CompletableFuture<Void> turn = bench.start(ASK + script);
      Bench.await("the first piece", () -> bench.work("seen").toFile().exists());
      secondPiece.countDown();
      turn.join();
      assertTrue(bench.service.result().get("reply").textValue().contains("second"));
    }
  }

  @Test
  void bridgeEndsWithTheTurn() throws Exception {
    try (Bench bench = withModel(Bench.sandboxed(folder))) {
      CompletableFuture<Void> turn = bench.start("until [ -e go ]; do sleep 0.05; done; echo ok");
      Bench.await("the bridge", () -> bench.isInSandbox(BRIDGE));
      Files.createFile(bench.work("go"));
      turn.join();
      assertEquals("ok", bench.service.result().path("reply").textValue());
      assertFalse(bench.isInSandbox(BRIDGE));
    }
  }

  @Test
  void agentWithoutASandboxGetsTheSameOnLoopback() throws IOException {
    try (Bench bench = withModel(Bench.unconfined(folder))) {
      String reply = reply(bench, "ask 'GET /messages HTTP/1.1'; env");
      assertTrue(reply.contains("first\n"), reply);
      assertFalse(reply.contains("s3cret"), reply);
    }
  }

  private static String reply(Bench bench, String script) throws IOException {
    JsonNode result = bench.run(ASK + script);
    assertEquals("completed", result.get("outcome").textValue(), result::toString);
    return result.get("reply").textValue();
  }

  private Bench withModel(Bench bench) {
    bench
        .entry
        .put("network", "model")
        .putObject("model")
        .put("url", "http://127.0.0.1:" + port() + "/base")
        .putObject("headers")
        .put("x-key", "${SECRET}");
    return bench;
  }

  private int port() {
    return model.port();
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(
        "%s %s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                String.join(",", exchange.getRequestHeaders().get("x-key")),
                exchange.getRequestHeaders().getFirst("Host")));
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write("first\n".getBytes(StandardCharsets.UTF_8));
      out.flush();
      if (exchange.getRequestURI().getPath().endsWith("slow")) {
        secondPiece.await();
        out.write("second\n".getBytes(StandardCharsets.UTF_8));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
