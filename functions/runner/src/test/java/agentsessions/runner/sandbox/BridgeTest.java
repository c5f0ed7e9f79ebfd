package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.sandbox.process.ControlGroups;
import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.sandbox.process.Spawner;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each bridge in a sandbox, which has the machine's network here, so that the test can be the
/// agent.
class BridgeTest {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final long MOST_HELD = 32L << 20;

  @TempDir Path folder;
  @AutoClose private ServerSocketChannel proxy;
  private int port;
  private Runnable end = () -> {};

  /// What the proxy does with a connection.
  private interface Service {
    void serve(SocketChannel connection) throws IOException;
  }

  @BeforeEach
  void listen() throws IOException {
    Optional<String> refusal = Bubblewrap.refusal();
    Assumptions.assumeTrue(refusal.isEmpty(), () -> "needs bubblewrap: " + refusal.orElse(""));
    proxy = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    proxy.bind(UnixDomainSocketAddress.of(folder.resolve("proxy")), 512);
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
  }

  @AfterEach
  void end() {
    end.run();
  }

  @ParameterizedTest
  @EnumSource(BridgeProgram.class)
  void everyByteArrivesAndSoDoesTheEnd(BridgeProgram program) throws Exception {
    begin(program, BridgeTest::echo);
    byte[] bytes = new byte[5_000_000];
    new Random(1).nextBytes(bytes);
    try (Socket agent = connect()) {
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(agent, bytes));
      assertArrayEquals(bytes, agent.getInputStream().readAllBytes());
      sent.join();
    }
  }

  @ParameterizedTest
  @EnumSource(BridgeProgram.class)
  void manyConnectionsAreOpenAtOnce(BridgeProgram program) throws Exception {
    begin(program, BridgeTest::echo);
    List<Socket> agents = new ArrayList<>();
    for (int i = 0; i < 420; i++) {
      agents.add(connect());
    }
    for (int i = 0; i < agents.size(); i++) {
      try (Socket agent = agents.get(i)) {
        byte[] own = ("agent " + i).getBytes(StandardCharsets.UTF_8);
        send(agent, own);
        assertArrayEquals(own, agent.getInputStream().readAllBytes());
      }
    }
  }

  /// A proxy refuses a request that is too large before it has read all of it.
  @ParameterizedTest
  @EnumSource(BridgeProgram.class)
  void anAnswerArrivesThoughNobodyReadsTheRequest(BridgeProgram program) throws Exception {
    begin(
        program,
        connection -> {
          connection.shutdownInput();
          connection.write(ByteBuffer.wrap("no".getBytes(StandardCharsets.UTF_8)));
        });
    try (Socket agent = connect()) {
      agent.getOutputStream().write(new byte[50_000]);
      assertEquals("no", new String(agent.getInputStream().readNBytes(2), StandardCharsets.UTF_8));
    }
  }

  /// It may hold no more than the buffers of two sockets and a piece.
  @ParameterizedTest
  @EnumSource(BridgeProgram.class)
  void whoeverSendsWaitsForASlowReader(BridgeProgram program) throws Exception {
    CompletableFuture<Void> end = new CompletableFuture<>();
    begin(program, _ -> end.join());
    try (SocketChannel agent = SocketChannel.open(address())) {
      agent.configureBlocking(false);
      long taken = 0;
      for (int idle = 0; idle < 20 && taken < MOST_HELD; idle++) {
        long now = agent.write(ByteBuffer.allocate(1 << 20));
        taken += now;
        if (now == 0) {
          Pause.millis(10);
        } else {
          idle = 0;
        }
      }
      assertTrue(taken < MOST_HELD, "it takes whatever comes");
    } finally {
      end.complete(null);
    }
  }

  /// The proxy is gone, but its socket is still there.
  @ParameterizedTest
  @EnumSource(BridgeProgram.class)
  void aConnectionThatLeadsNowhereEnds(BridgeProgram program) throws Exception {
    proxy.close();
    begin(program, BridgeTest::echo);
    for (int i = 0; i < 2; i++) {
      try (Socket agent = connect()) {
        assertTrue(hasEnded(agent));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(BridgeProgram.class)
  void aConnectionThatTheProxyDropsEnds(BridgeProgram program) throws Exception {
    begin(program, _ -> {});
    try (Socket agent = connect()) {
      agent.getOutputStream().write(1);
      assertTrue(hasEnded(agent));
    }
  }

  private static boolean hasEnded(Socket agent) throws IOException {
    try {
      return agent.getInputStream().read() == -1;
    } catch (SocketException reset) {
      return true;
    }
  }

  private void begin(BridgeProgram program, Service service) throws IOException {
    Thread.ofVirtual().start(() -> accept(service));
    SessionFolder session =
        new SessionFolders(folder.resolve("sandboxes"), Optional.empty())
            .of(UUID.randomUUID().toString())
            .open(Map.of());
    InstalledTools tools = new InstalledTools(Optional.empty());
    Bubblewrap sandbox =
        new Bubblewrap(
            session,
            session.makeTurnFolder(""),
            tools,
            Limits.STANDARD,
            ControlGroups.NONE,
            program);
    session.user().own(folder.resolve("proxy"));
    ProcessBuilder command =
        sandbox.command(
            new SandboxCommand(
                List.of("bash", "-c", "echo begun; exec sleep 600"),
                NetworkAccess.UNRESTRICTED,
                List.of(new PortForward(port, folder.resolve("proxy"))),
                ""));
    command.environment().clear();
    command.environment().put("PATH", InstalledTools.SYSTEM_PATH);
    Process process = Spawner.start(command.redirectErrorStream(true));
    end = () -> sandbox.end(process);
    sandbox.started(process);
    assertEquals("begun", process.inputReader().readLine());
  }

  private void accept(Service service) {
    try {
      while (true) {
        SocketChannel connection = proxy.accept();
        Thread.startVirtualThread(() -> serve(service, connection));
      }
    } catch (IOException closed) {
      // The test has ended.
    }
  }

  private static void serve(Service service, SocketChannel connection) {
    try (connection) {
      service.serve(connection);
    } catch (IOException gone) {
      // So is its other end.
    }
  }

  private static void echo(SocketChannel connection) throws IOException {
    InputStream in = Channels.newInputStream(connection);
    in.transferTo(Channels.newOutputStream(connection));
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private Socket connect() throws IOException {
    Socket agent = new Socket();
    agent.connect(address(), TIMEOUT_MILLIS);
    agent.setSoTimeout(TIMEOUT_MILLIS);
    return agent;
  }

  private static void send(Socket agent, byte[] bytes) {
    try {
      agent.getOutputStream().write(bytes);
      agent.shutdownOutput();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
