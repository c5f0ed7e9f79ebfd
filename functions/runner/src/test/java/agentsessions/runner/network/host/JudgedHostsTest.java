package agentsessions.runner.network.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The hosts of a real process in a sandbox, under the permissions of its session: none is reached
/// that these do not allow, whatever the process tries.
class JudgedHostsTest {
  private static final String ASK =
      """
      ask() {
        exec 9<>"/dev/tcp/127.0.0.1/${HTTPS_PROXY##*:}"
        printf 'CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "$1" "$1" >&9
        cat <&9 | tr -d '\\r' | sed -nE 's/.*"message":"([^"]*)".*/\\1/p; s/^HTTP.1.1 ([0-9]+).*/\\1/p; /hello/p' | tr '\\n' ' '
        exec 9<&-
      }
      """;

  private final AtomicInteger reached = new AtomicInteger();
  @TempDir Path folder;
  @AutoClose private Bench bench;
  private ServerSocket host;

  @BeforeEach
  void open() throws IOException {
    host = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::greet);
    bench = Bench.sandboxed(folder);
    bench.work = Bench.nothing().put("allow_private", true);
    bench.entry.putObject("network").putArray("hosts").add("localhost:" + host.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    host.close();
  }

  @Test
  void aDeniedHostIsRefusedWithTheReason() throws IOException {
    permit("deny");
    String said =
        "The agent may not reach %s. The permissions of this session do not allow it (rule 1, kind host)."
            .formatted(local());
    assertEquals("403 " + said, reply("ask " + local()));
    assertTrue(bench.said().contains(said), bench.said());
    assertEquals(0, reached.get());
    permit("allow");
    assertEquals("200 hello", reply("ask " + local()));
  }

  @Test
  void aPersonIsAskedOnceForAllConnectionsOfATurn() throws IOException {
    permit("ask");
    bench.service.decider().decides(2, "allow", null);
    String both = "ask %1$s & ask %1$s & wait; ask %1$s".formatted(local());
    assertEquals("200 hello 200 hello 200 hello", reply(both));
    JsonNode asked = bench.service.decider().asked().getFirst();
    assertEquals(
        "host connect", asked.get("kind").textValue() + " " + asked.get("tool").textValue());
    assertEquals("connect " + local(), asked.get("title").textValue());
    assertEquals(
        "{\"host\":\"localhost\",\"port\":%d}".formatted(host.getLocalPort()),
        asked.get("input").textValue());
    assertEquals(asked.get("fingerprint").textValue() + "#1", asked.get("call").textValue());
    assertEquals(1, bench.service.decider().asked().size());
  }

  @Test
  void anAgentWithoutAGateIsJudgedToo() throws IOException {
    bench.entry.remove("gate");
    permit("ask");
    bench.service.decider().decides(1, "allow", null);
    assertEquals("200 hello", reply("ask " + local()));
  }

  @Test
  void aDenialTellsTheProgramItsNote() throws IOException {
    permit("ask");
    bench.service.decider().decides(1, "deny", "use the mirror");
    String denied = "403 The agent may not reach %s. Denied: use the mirror".formatted(local());
    assertEquals(denied + " " + denied, reply("ask %1$s; ask %1$s".formatted(local())));
    assertEquals(0, reached.get());
  }

  @Test
  void whatNobodyDecidesIsRefusedAndTheAgentGoesOn() throws IOException {
    permit("ask").put("hold_seconds", 1);
    String late = "403 The agent may not reach %s. Nobody decided within 1 s.".formatted(local());
    assertEquals(late + " done", reply("ask %s; echo done".formatted(local())));
    assertEquals(0, reached.get());
  }

  /// Not even a person can open what the operator has not.
  @Test
  void nobodyIsAskedAboutWhatTheOperatorForbids() throws IOException {
    permit("ask");
    String reply = reply("ask example.com:443");
    assertTrue(reply.startsWith("403 The agent may not reach example.com. Its operator"), reply);
    assertEquals(List.of(), bench.service.decider().asked());
  }

  @Test
  void theSetupScriptIsJudgedToo() throws IOException {
    permit("ask");
    bench.service.decider().decides(1, "allow", null);
    bench.work.put("setup", ASK + "ask " + local());
    assertEquals("200 hello", reply("ask " + local()));
    assertTrue(bench.said().contains("200 hello"), bench.said());
    assertEquals(1, bench.service.decider().asked().size());
  }

  /// The turn may take eight seconds, and waits for nine before its agent begins.
  @Test
  void timeHeldByTheSetupScriptIsNotTheTurns() throws IOException {
    permit("ask");
    bench.untilDeadline = Duration.ofSeconds(8);
    bench.service.decider().decides(19, "allow", null);
    bench.work.put("setup", ASK + "ask " + local());
    assertEquals("200 hello", reply("ask " + local()));
  }

  /// The turn ends as it would, and nothing of its is left that waits.
  @Test
  void aTurnThatEndsWaitsForNobody() throws IOException {
    permit("ask");
    CompletableFuture<Void> turn =
        bench.start(
            ASK + "ask %s >/dev/null & until [ -e go ]; do sleep 0.05; done".formatted(local()));
    Bench.await("a request", () -> !bench.service.decider().asked().isEmpty());
    Files.createFile(bench.work("go"));
    turn.join();
    assertEquals("completed", bench.service.result().get("outcome").textValue());
    assertEquals(0, reached.get());
  }

  /// A process that knows the host by other names, its address, or names of its own.
  @Test
  void whoGoesAroundTheProxyReachesNothing() throws IOException {
    permit("deny");
    String hostile =
        """
        for name in LOCALHOST:%1$d localhost.:%1$d 127.0.0.1:%1$d 127.1:%1$d 2130706433:%1$d [::1]:%1$d localhost:80 localhost; do
          ask $name | grep -o '^[^ ]*' || echo closed
        done
        for address in tcp/127.0.0.1/%1$d tcp/localhost/%1$d tcp/192.0.2.1/443 udp/192.0.2.1/53; do
          (exec 8<>/dev/$address && printf x >&8) 2>/dev/null && echo direct
        done
        echo done
        """
            .formatted(host.getLocalPort());
    String reply = reply(hostile);
    assertTrue(reply.matches("((403|400|closed) ){8}done"), reply);
    assertEquals(0, reached.get());
  }

  private String local() {
    return "localhost:" + host.getLocalPort();
  }

  private String reply(String script) throws IOException {
    JsonNode result = bench.run(ASK + script);
    return String.join(" ", result.path("reply").asText(result.toString()).strip().split("\\s+"));
  }

  /// Permissions that allow everything but hosts, for which they have this policy.
  private ObjectNode permit(String policy) {
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    permissions.putArray("rules").addObject().put("kind", "host").put("policy", policy);
    return permissions.put("hold_seconds", 30).put("questions", false);
  }

  private void greet() {
    try {
      while (true) {
        try (Socket agent = host.accept()) {
          reached.incrementAndGet();
          agent.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }
}
