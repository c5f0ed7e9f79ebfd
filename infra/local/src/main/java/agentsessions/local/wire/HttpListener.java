package agentsessions.local.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/// An HTTP server with limits against exhaustion: 1,000 connections, request heads of 16 KiB, and
/// an idle time of ten seconds without a key and a minute with one. It listens on loopback by
/// default.
///
/// It is Jetty, because requests that the server itself refuses (a broken request line, huge
/// headers) must also be answered in the API's error shape. The JDK's server answers those in HTML.
public final class HttpListener implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int MOST_CONNECTIONS = 1_000;
  private static final int LARGEST_HEAD = 16 << 10;
  private static final Duration UNAUTHENTICATED_IDLE = Duration.ofSeconds(10);
  private static final Duration KNOWN = Duration.ofSeconds(60);

  /// Two threads for each connection: one request may wait while another is worked on.
  private final Server server = new Server(new VirtualThreadPool(2 * MOST_CONNECTIONS));

  private final ConnectionLimit connectionLimit;
  private final ServerConnector connector;
  private final OpenConnections connections = new OpenConnections();
  private volatile boolean closing;

  /// Opens the port on loopback; requests wait until [#serve].
  ///
  /// @param port 0: any free one
  /// @throws IOException if the port is taken
  public HttpListener(int port) throws IOException {
    this(LOOPBACK, port);
  }

  /// Opens the port on an address of this machine; requests wait until [#serve].
  public HttpListener(String host, int port) throws IOException {
    this(
        host,
        port,
        new ConnectionLimit(MOST_CONNECTIONS, UNAUTHENTICATED_IDLE, KNOWN, System::nanoTime));
  }

  /// Opens the port on loopback with other connection limits.
  public HttpListener(int port, ConnectionLimit connectionLimit) throws IOException {
    this(LOOPBACK, port, connectionLimit);
  }

  private HttpListener(String host, int port, ConnectionLimit connectionLimit) throws IOException {
    this.connectionLimit = connectionLimit;
    // No acceptor thread: interrupted by a stop, it would leave a connection open.
    connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(configuration()));
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(KNOWN.toMillis());
    // As many as connections: a client that finds the queue full waits a second before it tries
    // again, then two.
    connector.setAcceptQueueSize(MOST_CONNECTIONS);
    connector.addBean(new Doorbell());
    connector.getSelectorManager().addEventListener(connections);
    server.addConnector(connector);
    connector.open();
  }

  public int port() {
    return connector.getLocalPort();
  }

  /// Starts to serve.
  ///
  /// @param errors answers requests that the server itself refuses
  public void serve(Handler handler, Request.Handler errors) {
    server.setErrorHandler(errors);
    server.setHandler(new Tracked(handler));
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("The HTTP server did not start", e);
    }
    tidy();
  }

  /// Marks the request's connection as one with a key.
  public void know(Request request) {
    connectionLimit.know(endPoint(request));
  }

  /// Marks the request as complete: its connection is not displaced until it is answered.
  public void answering(Request request) {
    connectionLimit.answering(endPoint(request));
  }

  /// Starts the idle time of the request's connection.
  public void waiting(Request request) {
    connectionLimit.waiting(endPoint(request));
  }

  /// Restarts the idle time of the request's connection, since a part of a long transfer has
  /// passed.
  public void moved(Request request) {
    connectionLimit.moved(endPoint(request));
  }

  /// Sets the time that [#close] leaves for requests in progress, if the handler is a graceful one.
  public void stopTimeout(Duration goodbye) {
    server.setStopTimeout(goodbye.toMillis());
  }

  /// Whether long responses should end soon, since the listener is about to close.
  public boolean isClosing() {
    return closing;
  }

  /// Makes [#isClosing] true.
  public void beginClosing() {
    closing = true;
  }

  @Override
  public void close() {
    beginClosing();
    try {
      connector.close();
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("The HTTP server did not stop", e);
    } finally {
      connections.stop();
    }
  }

  /// The connection of a request.
  public static EndPoint endPoint(Request request) {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  /// Whether the client has kept the connection open. Only for clients that send nothing before the
  /// response, because the check reads a byte.
  public static boolean isThere(Request request) {
    try {
      return endPoint(request).getTransport() instanceof SocketChannel channel
          && channel.read(ByteBuffer.allocate(1)) == 0;
    } catch (IOException reset) {
      return false;
    }
  }

  private void tidy() {
    connectionLimit.tidy();
    if (server.isRunning()) {
      connector.getScheduler().schedule(this::tidy, 1, TimeUnit.SECONDS);
    }
  }

  private static HttpConfiguration configuration() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(LARGEST_HEAD);
    // Unusual paths are left to the service, which answers 404 or 422; the server would answer 400.
    configuration.setUriCompliance(UriCompliance.UNSAFE);
    return configuration;
  }

  private final class Doorbell implements Connection.Listener {
    @Override
    public void onOpened(Connection connection) {
      connectionLimit.opened(connection.getEndPoint());
    }

    @Override
    public void onClosed(Connection connection) {
      connectionLimit.closed(connection.getEndPoint());
    }
  }

  private final class Tracked extends Handler.Wrapper {
    Tracked(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Request.addCompletionListener(request, _ -> waiting(request));
      return super.handle(request, response, callback);
    }
  }
}
