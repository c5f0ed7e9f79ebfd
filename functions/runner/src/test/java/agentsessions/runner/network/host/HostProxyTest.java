package agentsessions.runner.network.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.network.connection.Addresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An agent reaches the allowed hosts, and gets a refusal for all others that names the setting to
/// ask the operator for.
class HostProxyTest {
  private static final HostGate.Bounds USUAL = HostGate.Bounds.STANDARD;

  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private final List<SocketChannel> agents = new ArrayList<>();
  private ServerSocket host;

  /// An echo server.
  @BeforeEach
  void open() throws IOException {
    host = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::serve);
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel agent : agents) {
      agent.close();
    }
    host.close();
  }

  @Test
  void allowedHostIsReachedBothWays() throws IOException {
    try (HostProxy proxy = proxy(new Addresses(true), USUAL)) {
      SocketChannel agent = connected(proxy);
      send(agent, "hello");
      assertEquals("hello", read(agent));
      send(agent, "again");
      assertEquals("again", read(agent));
      assertTrue(said.isEmpty(), said::toString);
    }
  }

  @Test
  void otherHostsAndPortsAreRefusedOnceInTheTranscript() throws IOException {
    try (HostProxy proxy = proxy(new Addresses(true), USUAL)) {
      assertRefused("403", ask(proxy, "CONNECT example.com:443 HTTP/1.1"));
      assertRefused("403", ask(proxy, "CONNECT example.com:443 HTTP/1.1"));
      assertRefused("403", ask(proxy, "CONNECT 127.0.0.1:1 HTTP/1.1"));
      assertEquals(2, said.size(), said::toString);
      assertTrue(
          said.remove().contains("scripts/start --allow-hosts example.com."), said::toString);
      assertTrue(said.remove().contains("--allow-hosts 127.0.0.1:1."), said::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.com", "proxy"})
  void whatAClientNamesBesideDecidesNothing(String named) throws IOException {
    try (HostProxy proxy = proxy(new Addresses(true), USUAL)) {
      assertRefused("403", ask(proxy, "CONNECT example.com:443 HTTP/1.1", named));
    }
  }

  @Test
  void allowedNameOfAPrivateAddressIsRefused() throws IOException {
    try (HostProxy proxy = proxy(new Addresses(false), USUAL)) {
      for (String name : List.of("127.0.0.1", "localhost")) {
        assertRefused("403", ask(proxy, "CONNECT %s:%d HTTP/1.1".formatted(name, port())));
        assertTrue(said.remove().contains("scripts/start --allow-private."));
      }
    }
  }

  @Test
  void nothingButConnectGoesOut() throws IOException {
    try (HostProxy proxy = proxy(new Addresses(true), USUAL)) {
      assertRefused("403", ask(proxy, "GET http://x/ HTTP/1.1"));
      assertRefused("403", ask(proxy, "GET / HTTP/1.1", "x"));
      assertTrue(said.remove().contains("only https"), said::toString);
    }
  }

  @Test
  void hostThatIsNotThereIsNoRefusal() throws IOException {
    host.close();
    try (HostProxy proxy = proxy(new Addresses(true), USUAL)) {
      assertRefused("502", ask(proxy, "CONNECT 127.0.0.1:%d HTTP/1.1".formatted(port())));
      assertTrue(said.isEmpty(), said::toString);
    }
  }

  @Test
  void connectionsAreCountedUntilTheyEnd() throws IOException {
    try (HostProxy proxy = proxy(new Addresses(true), new HostGate.Bounds(2, 1000, USUAL.idle()))) {
      connected(proxy);
      SocketChannel second = connected(proxy);
      assertRefused("503", ask(proxy, connect()));
      assertTrue(said.remove().contains("2 connections"));
      second.close();
      Bench.await("a place", () -> isReached(proxy));
    }
  }

  @Test
  void bytesOfATurnAreCounted() throws IOException {
    try (HostProxy proxy = proxy(new Addresses(true), new HostGate.Bounds(9, 1000, USUAL.idle()))) {
      SocketChannel agent = connected(proxy);
      send(agent, "x".repeat(400));
      assertEquals(400, read(agent).length());
      send(agent, "x".repeat(400));
      assertEquals("", read(agent));
      assertTrue(said.remove().contains("MiB"), said::toString);
    }
  }

  @Test
  void silentConnectionIsClosed() throws IOException {
    HostGate.Bounds brief = new HostGate.Bounds(9, 1000, Duration.ofSeconds(3));
    try (HostProxy proxy = proxy(new Addresses(true), brief)) {
      assertEquals("", read(connected(proxy)));
    }
  }

  private HostProxy proxy(Addresses addresses, HostGate.Bounds bounds) throws IOException {
    List<HostRule> rules =
        List.of(HostRule.of("127.0.0.1:" + port()), HostRule.of("localhost:" + port()));
    HostJudge judge = new HostJudge(PermissionRules.ALL, (_, _) -> Verdict.ALLOWED);
    return HostProxy.onSocket(rules, judge, addresses, new HostRefusals(said::add), 0, bounds);
  }

  private int port() {
    return host.getLocalPort();
  }

  private String connect() {
    return "CONNECT 127.0.0.1:%d HTTP/1.1".formatted(port());
  }

  private boolean isReached(HostProxy proxy) {
    try {
      return ask(proxy, connect()).startsWith("HTTP/1.1 200");
    } catch (IOException closed) {
      return false;
    }
  }

  private SocketChannel connected(HostProxy proxy) throws IOException {
    SocketChannel agent = open(proxy);
    send(agent, connect() + "\r\nHost: 127.0.0.1:%d\r\n\r\n".formatted(port()));
    String answer = read(agent);
    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    return agent;
  }

  /// As clients do: with the host in both the request line and the `Host` header.
  private String ask(HostProxy proxy, String line) throws IOException {
    return ask(proxy, line, line.split(" ", 3)[1].replace("http://x/", "x"));
  }

  private String ask(HostProxy proxy, String line, String named) throws IOException {
    SocketChannel agent = open(proxy);
    send(agent, line + "\r\nHost: " + named + "\r\n\r\n");
    return read(agent);
  }

  private static void assertRefused(String status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
  }

  private SocketChannel open(HostProxy proxy) throws IOException {
    SocketChannel agent = SocketChannel.open(StandardProtocolFamily.UNIX);
    agents.add(agent);
    agent.connect(UnixDomainSocketAddress.of(proxy.portForward().socket()));
    return agent;
  }

  private static void send(SocketChannel agent, String text) throws IOException {
    agent.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String read(SocketChannel agent) throws IOException {
    ByteBuffer room = ByteBuffer.allocate(1000);
    int count = agent.read(room);
    return new String(room.array(), 0, Math.max(0, count), StandardCharsets.US_ASCII);
  }

  private void serve() {
    try {
      while (true) {
        Socket agent = host.accept();
        Thread.startVirtualThread(() -> repeat(agent));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void repeat(Socket agent) {
    try (agent) {
      agent.getInputStream().transferTo(agent.getOutputStream());
    } catch (IOException gone) {
      // The agent has closed the connection.
    }
  }
}
