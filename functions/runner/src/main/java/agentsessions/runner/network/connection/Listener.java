package agentsessions.runner.network.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The HTTP server of a turn's proxy, on a Unix socket or on a free port of loopback. Its
/// connections, threads and header sizes are limited, and freed when it is closed.
public final class Listener implements AutoCloseable {
  private static final int HEADER_BYTES = 16 * 1024;
  private static final int THREADS = 24;

  /// Node's clients name the host of a `CONNECT` without its port in `Host`, which has no effect
  /// there.
  private static final HttpCompliance OF_TUNNELS =
      HttpCompliance.RFC9110.with("TUNNELS", HttpCompliance.Violation.MISMATCHED_AUTHORITY);

  private final Server server;
  private final AbstractConnector connector;
  private final Path folder;

  /// The limits of its callers.
  ///
  /// @param connections the most at once; further ones are closed at once
  /// @param idle the timeout of an incomplete request and of an unused connection
  public record Bounds(int connections, Duration idle) {}

  private Listener(Server server, AbstractConnector connector, Path folder) {
    this.server = server;
    this.connector = connector;
    this.folder = folder;
  }

  /// A listener on a Unix socket, which can be mounted into a sandbox.
  ///
  /// @param name of the proxy, for its threads
  /// @param errors writes its error responses
  public static Listener onSocket(String name, Handler proxy, Request.Handler errors, Bounds bounds)
      throws IOException {
    return onSocket(name, proxy, errors, bounds, HttpCompliance.RFC9110);
  }

  /// The same for callers that only send `CONNECT`.
  public static Listener forTunnels(
      String name, Handler proxy, Request.Handler errors, Bounds bounds) throws IOException {
    return onSocket(name, proxy, errors, bounds, OF_TUNNELS);
  }

  private static Listener onSocket(
      String name, Handler proxy, Request.Handler errors, Bounds bounds, HttpCompliance compliance)
      throws IOException {
    // Not in the session's folder: a socket's path is at most 100 bytes long.
    Path folder = Files.createTempDirectory(name);
    Server server = server(name, proxy, errors);
    UnixDomainServerConnector connector =
        new UnixDomainServerConnector(server, 0, 1, http(compliance));
    connector.setUnixDomainPath(folder.resolve("socket"));
    return new Listener(server, connector, folder).started(bounds);
  }

  public static Listener onLoopback(
      String name, Handler proxy, Request.Handler errors, Bounds bounds) throws IOException {
    return onLoopback(0, name, proxy, errors, bounds);
  }

  /// A listener on a port of loopback.
  ///
  /// @param port 0: any that is free
  public static Listener onLoopback(
      int port, String name, Handler proxy, Request.Handler errors, Bounds bounds)
      throws IOException {
    Server server = server(name, proxy, errors);
    ServerConnector connector = new ServerConnector(server, 0, 1, http(HttpCompliance.RFC9110));
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    return new Listener(server, connector, Files.createTempDirectory(name)).started(bounds);
  }

  public Path socket() {
    return folder.resolve("socket");
  }

  /// The port of loopback, or `none` where it listens on a socket.
  public int port(int none) {
    return connector instanceof ServerConnector tcp ? tcp.getLocalPort() : none;
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
    try {
      Files.deleteIfExists(socket());
      Files.deleteIfExists(folder);
    } catch (IOException left) {
      // An empty folder stays in the temporary directory.
    }
  }

  private Listener started(Bounds bounds) throws IOException {
    connector.setIdleTimeout(bounds.idle().toMillis());
    connector.addBean(new Limit(bounds.connections(), connector));
    server.addConnector(connector);
    try {
      server.start();
      return this;
    } catch (Exception failed) {
      close();
      throw new IOException("a turn's proxy: " + failed.getMessage(), failed);
    }
  }

  /// Jetty's own limit stops accepting, so that further callers would wait; this one closes their
  /// connections.
  private static final class Limit extends NetworkConnectionLimit {
    Limit(int connections, Connector connector) {
      super(connections, connector);
    }

    @Override
    protected void limit() {}

    @Override
    protected void unlimit() {}
  }

  private static Server server(String name, Handler proxy, Request.Handler errors) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName(name);
    threads.setDaemon(true);
    Server server = new Server(threads);
    server.setErrorHandler(errors);
    server.setHandler(proxy);
    return server;
  }

  private static HttpConnectionFactory http(HttpCompliance compliance) {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setHttpCompliance(compliance);
    configuration.setRequestHeaderSize(HEADER_BYTES);
    return new HttpConnectionFactory(configuration);
  }
}
