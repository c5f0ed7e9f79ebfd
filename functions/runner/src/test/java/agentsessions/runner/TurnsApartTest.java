package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two turns of one runner process, each with its own proxy and token, of which one looks for the
/// other's.
///
/// Why: decision 031.
class TurnsApartTest {
  private static final String ASK =
      """
      ask() {
        curl -s "http://127.0.0.1:18080/$1" || echo nobody
      }
      """;

  @TempDir Path folder;
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  @AutoClose private Loopback model;

  @BeforeEach
  void open() {
    model = new Loopback(this::answer);
  }

  @Test
  void theSamePortOfEachSandboxLeadsToItsOwnModel() throws IOException {
    assertEquals("prying", replyBeside("model", "ask second"));
    assertEquals(List.of("/holder/first", "/prying/second"), List.copyOf(asked));
  }

  @Test
  void aSandboxWithoutAModelReachesNone() throws IOException {
    assertEquals("nobody", replyBeside("none", "ask second"));
    assertEquals(List.of("/holder/first"), List.copyOf(asked));
  }

  @Test
  void theMachinesNetworkLeadsToNoProxyEither() throws IOException {
    assertEquals("asked", replyBeside("host", "ask second > /dev/null; echo asked"));
    assertEquals(List.of("/holder/first"), List.copyOf(asked));
  }

  @Test
  void noSocketButItsOwnIsInASandbox() throws IOException {
    assertEquals(
        "/run/way-18080",
        replyBeside(
            "model",
            """
            find /dev /etc /home /io /run /tmp /workspace |
              while read -r file; do [ ! -S "$file" ] || echo "$file"; done
            find /proc/[0-9]*/root/tmp/ -name 'model*' 2>/dev/null || true
            """));
  }

  @Test
  void noTokenIsInASandbox() throws IOException {
    assertEquals(
        "none",
        replyBeside(
            "model",
            """
            grep -rlas --devices=skip 'toke[n] 1' /proc/[0-9]*/environ /proc/[0-9]*/cmdline \\
              /etc /home /io /run /tmp /workspace || echo none
            """));
  }

  /// The reply of a turn that runs while the holder's proxy serves.
  private String replyBeside(String network, String script) throws IOException {
    try (Bench holder = withModel(Bench.sandboxed(folder.resolve("holder")), "holder");
        Bench prying = withModel(Bench.sandboxed(folder.resolve("prying")), "prying")) {
      CompletableFuture<Void> held =
          holder.start(ASK + "ask first; touch ready; until [ -e go ]; do sleep 0.05; done");
      Bench.await("the holder's first answer", () -> Files.exists(holder.work("ready")));
      prying.entry.put("network", network);
      String reply = prying.run(ASK + script).path("reply").asText();
      Files.createFile(holder.work("go"));
      held.join();
      assertEquals("holder", holder.service.result().path("reply").asText());
      return reply;
    }
  }

  private Bench withModel(Bench bench, String name) {
    bench
        .entry
        .put("network", "model")
        .putObject("model")
        .put("url", "http://127.0.0.1:%d/%s".formatted(model.port(), name));
    return bench;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    byte[] name = path.substring(1, path.lastIndexOf('/')).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, name.length);
    exchange.getResponseBody().write(name);
    exchange.close();
  }
}
