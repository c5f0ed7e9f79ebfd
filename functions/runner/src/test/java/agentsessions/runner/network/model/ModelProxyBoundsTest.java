package agentsessions.runner.network.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.runner.usage.TurnUsage;
import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// However an agent misuses its proxy, the proxy holds few resources, and none after the turn. The
/// test runs alone, since it counts the open files of this process.
@Isolated
class ModelProxyBoundsTest {
  private static final int CONNECTIONS = 64;
  private static final ModelProxy.Bounds QUICK =
      new ModelProxy.Bounds(CONNECTIONS, Duration.ofSeconds(3), Duration.ofMinutes(1));

  private final List<SocketChannel> agents = new ArrayList<>();
  private Loopback model;

  @BeforeEach
  void open() throws IOException {
    model = new Loopback(this::answer);
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel agent : agents) {
      agent.close();
    }
    model.close();
  }

  @Test
  void thousandHalfRequestsTakeSixtyFourPlacesAndNoneWhenTheTurnIsOver() throws Exception {
    long before = descriptors();
    try (ModelProxy proxy = proxy(ModelProxy.Bounds.STANDARD)) {
      for (int i = 0; i < 1000; i++) {
        halfRequest(proxy);
      }
      Bench.await("the others' end", () -> descriptors() - before < 1000 + CONNECTIONS + 30);
    }
    Bench.await("the proxy's end", () -> descriptors() - before < 1000 + 30);
  }

  @Test
  void requestThatIsNotCompletedMakesRoomForAnother() throws Exception {
    try (ModelProxy proxy = proxy(QUICK)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        halfRequest(proxy);
      }
      Bench.await("room", () -> whole(proxy, "quick").startsWith("HTTP/1.1 200"));
    }
  }

  /// A machine that is busy may take longer than the bound until the model has the request at all,
  /// so the pause begins there, and a request that never came so far is sent again.
  @Test
  void modelMayThinkLongerThanAnAgentMayPause() throws Exception {
    try (ModelProxy proxy = proxy(QUICK)) {
      Bench.await("an answer after a pause", () -> whole(proxy, "slow").startsWith("HTTP/1.1 200"));
    }
  }

  @Test
  void bodyOfAnySizeIsRefusedAtItsLimit() throws Exception {
    try (ModelProxy proxy = proxy(ModelProxy.Bounds.STANDARD);
        SocketChannel agent = connect(proxy)) {
      send(agent, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n");
      assertTrue(read(agent).startsWith("HTTP/1.1 413"), "is too large");
    }
  }

  private ModelProxy proxy(ModelProxy.Bounds bounds) throws IOException {
    String url = model.url();
    AgentEntry.Model any =
        new AgentEntry.Model(url, Map.of(), List.of("GET /*", "POST /*"), 1000, null, List.of());
    return ModelProxy.onSocket(
        any,
        0,
        new ModelResponses(
            new TurnUsage(Mask.NONE, ModelBudget.of(List.of(), List.of(), 1000)), sentence -> {}),
        bounds);
  }

  private void halfRequest(ModelProxy proxy) throws IOException {
    SocketChannel agent = connect(proxy);
    agents.add(agent);
    try {
      send(agent, "POST /x HTTP/1.1\r\nX: " + "x".repeat(6000));
    } catch (IOException refused) {
      // Expected beyond the limit.
    }
  }

  private static SocketChannel connect(ModelProxy proxy) throws IOException {
    SocketChannel agent = SocketChannel.open(StandardProtocolFamily.UNIX);
    agent.connect(UnixDomainSocketAddress.of(proxy.socket()));
    return agent;
  }

  private static void send(SocketChannel agent, String text) throws IOException {
    agent.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String whole(ModelProxy proxy, String path) {
    try (SocketChannel agent = connect(proxy)) {
      send(agent, "GET /%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".formatted(path));
      return read(agent);
    } catch (IOException noRoom) {
      return "";
    }
  }

  private static String read(SocketChannel agent) throws IOException {
    ByteBuffer room = ByteBuffer.allocate(1000);
    int count = agent.read(room);
    return new String(room.array(), 0, Math.max(0, count), StandardCharsets.US_ASCII);
  }

  private static long descriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    } catch (IOException unknown) {
      return -1;
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().equals("/slow")) {
        CountDownLatch thought = new CountDownLatch(1);
        CompletableFuture.delayedExecutor(2 * QUICK.idle().toMillis(), TimeUnit.MILLISECONDS)
            .execute(thought::countDown);
        thought.await();
      }
      exchange.sendResponseHeaders(200, -1);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
