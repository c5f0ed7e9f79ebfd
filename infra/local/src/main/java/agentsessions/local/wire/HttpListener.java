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

/// An HTTP server, on loopback unless told otherwise, that holds against a crowd: 1,000
/// connections, heads of 16 KiB, ten seconds to ask without a key and a minute with one.
///
/// Jetty, because what a server refuses by itself (a broken request line, huge headers) must be
/// answered in the API's error shape too, and the server in the JDK answers those in HTML.
public final class HttpListener implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int MOST_CONNECTIONS = 1_000;
  private static final int LARGEST_HEAD = 16 << 10;
  private static final Duration STRANGER = Duration.ofSeconds(10);
  private static final Duration KNOWN = Duration.ofSeconds(60);

  /// Each connection may have a request that waits, beside what is done for it.
  private final Server server = new Server(new VirtualThreadPool(2 * MOST_CONNECTIONS));

  private final Guests guests;
  private final ServerConnector connector;
  private final OpenConnections connections = new OpenConnections();
  private volatile boolean closing;

  /// Opens the port on loopback; requests wait until [#serve].
  ///
  /// @param port 0 for any free one
  /// @throws IOException if it is taken
  public HttpListener(int port) throws IOException {
    this(LOOPBACK, port);
  }

  /// The same on any address of this machine.
  public HttpListener(String host, int port) throws IOException {
    this(host, port, new Guests(MOST_CONNECTIONS, STRANGER, KNOWN, System::nanoTime));
  }

  /// The same on loopback with other bounds of who is connected.
  public HttpListener(int port, Guests guests) throws IOException {
    this(LOOPBACK, port, guests);
  }

  private HttpListener(String host, int port, Guests guests) throws IOException {
    this.guests = guests;
    // No thread of its own that accepts: interrupted as it stops, it would leave a connection open.
    connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(configuration()));
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(KNOWN.toMillis());
    // Whoever finds the queue full tries again after a second, then after two.
    connector.setAcceptQueueSize(MOST_CONNECTIONS);
    connector.addBean(new Doorbell());
    connector.getSelectorManager().addEventListener(connections);
    server.addConnector(connector);
    connector.open();
  }

  public int port() {
    return connector.getLocalPort();
  }

  /// Serves from now on.
  ///
  /// @param errors answers what the server refuses by itself
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

  /// Whoever asks has shown a key.
  public void know(Request request) {
    guests.know(endPoint(request));
  }

  /// The request is there, whole: its connection is not taken from it until it is answered.
  public void answering(Request request) {
    guests.answering(endPoint(request));
  }

  /// The rest of a request is waited for.
  public void waiting(Request request) {
    guests.waiting(endPoint(request));
  }

  /// A part of something long has come, or was taken.
  public void moved(Request request) {
    guests.moved(endPoint(request));
  }

  /// How long [#close] lets those in hand be answered, if the handler is a graceful one.
  public void patience(Duration goodbye) {
    server.setStopTimeout(goodbye.toMillis());
  }

  /// Whether whoever is being answered should hear the end soon.
  public boolean isClosing() {
    return closing;
  }

  /// From now on [#isClosing].
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

  /// The connection itself.
  public static EndPoint endPoint(Request request) {
    return request.getConnectionMetaData().getConnection().getEndPoint();
  }

  /// Whether the other end of a request's connection is open, where nothing more is sent on it
  /// before the answer: so there is nothing to be read by this look.
  public static boolean isThere(Request request) {
    try {
      return endPoint(request).getTransport() instanceof SocketChannel channel
          && channel.read(ByteBuffer.allocate(1)) == 0;
    } catch (IOException reset) {
      return false;
    }
  }

  private void tidy() {
    guests.tidy();
    if (server.isRunning()) {
      connector.getScheduler().schedule(this::tidy, 1, TimeUnit.SECONDS);
    }
  }

  private static HttpConfiguration configuration() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(LARGEST_HEAD);
    // Odd paths are for the service to answer: 404 or 422, not 400.
    configuration.setUriCompliance(UriCompliance.UNSAFE);
    return configuration;
  }

  private final class Doorbell implements Connection.Listener {
    @Override
    public void onOpened(Connection connection) {
      guests.came(connection.getEndPoint());
    }

    @Override
    public void onClosed(Connection connection) {
      guests.left(connection.getEndPoint());
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
