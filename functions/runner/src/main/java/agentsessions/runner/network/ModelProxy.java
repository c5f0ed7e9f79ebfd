package agentsessions.runner.network;

import agentsessions.runner.agent.AgentEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// One agent's only way out: everything it sends goes to its entry's model and nowhere else, below
/// the path of the model's URL, with the entry's headers. So the key never comes to the agent. What
/// it can make this process hold is bounded, and gone when the proxy is closed.
public final class ModelProxy implements AutoCloseable {
  /// The header in which an agent that cannot keep its URL to itself may send the secret instead.
  static final String SECRET = "agent-model-secret";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long BODY_BYTES = 64L * 1024 * 1024;
  private static final int HEADER_BYTES = 16 * 1024;
  private static final int THREADS = 24;

  private final Server server;
  private final AbstractConnector connector;
  private final Path folder;
  private final int port;
  private final Optional<String> secret;

  /// @param connections how many an agent may have at once; the next is closed at once
  /// @param idle how long a request may pause before it is complete, and a connection be unused
  /// @param silence how long a model may think without a word
  record Bounds(int connections, Duration idle, Duration silence) {
    static final Bounds STANDARD = new Bounds(64, Duration.ofSeconds(30), Duration.ofMinutes(30));
  }

  private ModelProxy(
      Server server, AbstractConnector connector, Path folder, int port, Optional<String> secret) {
    this.server = server;
    this.connector = connector;
    this.folder = folder;
    this.port = port;
    this.secret = secret;
  }

  /// A proxy behind a Unix socket.
  ///
  /// @param model with all names filled in
  /// @param port of loopback, where the agent finds what leads to the socket
  public static ModelProxy onSocket(AgentEntry.Model model, int port, ModelAnswers answers)
      throws IOException {
    return onSocket(model, port, answers, Bounds.STANDARD);
  }

  static ModelProxy onSocket(AgentEntry.Model model, int port, ModelAnswers answers, Bounds bounds)
      throws IOException {
    // Not in the session's folder: a socket's path is at most 100 bytes long.
    Path folder = Files.createTempDirectory("model");
    Server server = server(new ModelGate(model, Optional.empty(), bounds.silence(), answers));
    UnixDomainServerConnector connector = new UnixDomainServerConnector(server, 0, 1, http());
    connector.setUnixDomainPath(folder.resolve("socket"));
    return new ModelProxy(server, connector, folder, port, Optional.empty()).started(bounds);
  }

  /// A proxy on a free port of loopback, where others could come, too: for callers that know its
  /// secret only.
  ///
  /// @param model with all names filled in
  public static ModelProxy onLoopback(AgentEntry.Model model, ModelAnswers answers)
      throws IOException {
    Bounds bounds = Bounds.STANDARD;
    Optional<String> secret = Optional.of(newSecret());
    Server server = server(new ModelGate(model, secret, bounds.silence(), answers));
    ServerConnector connector = new ServerConnector(server, 0, 1, http());
    connector.setHost("127.0.0.1");
    return new ModelProxy(server, connector, Files.createTempDirectory("model"), 0, secret)
        .started(bounds);
  }

  public Path socket() {
    return folder.resolve("socket");
  }

  /// The port of loopback at which the agent finds its model.
  public int port() {
    return connector instanceof ServerConnector tcp ? tcp.getLocalPort() : port;
  }

  /// What the agent must know besides; nothing where nobody else can come.
  public Optional<String> secret() {
    return secret;
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
    try {
      Files.deleteIfExists(socket());
      Files.deleteIfExists(folder);
    } catch (IOException left) {
      // An empty folder among the temporary ones.
    }
  }

  private ModelProxy started(Bounds bounds) throws IOException {
    connector.setIdleTimeout(bounds.idle().toMillis());
    connector.addBean(new NetworkConnectionLimit(bounds.connections(), connector));
    server.addConnector(connector);
    try {
      server.start();
      return this;
    } catch (Exception failed) {
      close();
      throw new IOException("the model's proxy: " + failed.getMessage(), failed);
    }
  }

  private static Server server(ModelGate gate) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("model");
    threads.setDaemon(true);
    Server server = new Server(threads);
    server.setErrorHandler(new ModelErrors());
    SizeLimitHandler bodies = new SizeLimitHandler(BODY_BYTES, -1);
    bodies.setHandler(gate);
    server.setHandler(bodies);
    return server;
  }

  private static HttpConnectionFactory http() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(HEADER_BYTES);
    return new HttpConnectionFactory(configuration);
  }

  private static String newSecret() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
