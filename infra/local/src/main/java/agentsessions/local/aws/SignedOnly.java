package agentsessions.local.aws;

import agentsessions.local.wire.Guests;
import java.time.Duration;
import java.util.Objects;
import org.gaul.shaded.org.eclipse.jetty.http.HttpHeader;
import org.gaul.shaded.org.eclipse.jetty.http.HttpStatus;
import org.gaul.shaded.org.eclipse.jetty.io.Connection;
import org.gaul.shaded.org.eclipse.jetty.io.EndPoint;
import org.gaul.shaded.org.eclipse.jetty.server.AbstractConnector;
import org.gaul.shaded.org.eclipse.jetty.server.Connector;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.server.Server;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;
import org.gaul.shaded.org.eclipse.jetty.util.VirtualThreads;
import org.gaul.shaded.org.eclipse.jetty.util.thread.QueuedThreadPool;

/// What stands before the object store: only signed requests reach it, and a crowd of connections
/// keeps nobody out.
///
/// The signature itself is checked behind it. A link's is checked before its body is read; a
/// header's only after, so that way is for the service's own key alone.
final class SignedOnly extends Handler.Wrapper {
  private static final int MOST_CONNECTIONS = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String LINK = "X-Amz-Signature=";

  private final String header;
  private final Guests guests;

  private SignedOnly(Handler handler, String ownKeyId, Guests guests) {
    super(handler);
    this.header = "AWS4-HMAC-SHA256 Credential=" + ownKeyId + "/";
    this.guests = guests;
  }

  /// Puts it before a server that has not started yet.
  ///
  /// @param ownKeyId the access key id that may sign in a header
  static void guard(Server server, String ownKeyId) {
    Guests guests = new Guests(MOST_CONNECTIONS, PATIENCE, PATIENCE, System::nanoTime);
    server.setHandler(new SignedOnly(server.getHandler(), ownKeyId, guests));
    if (server.getThreadPool() instanceof QueuedThreadPool threads) {
      threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    }
    for (Connector connector : server.getConnectors()) {
      watch((AbstractConnector) connector, guests);
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    if (!isSigned(request)) {
      response.setStatus(HttpStatus.FORBIDDEN_403);
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
      callback.succeeded();
      return true;
    }
    EndPoint guest = request.getConnectionMetaData().getConnection().getEndPoint();
    guests.answering(guest);
    Request.addCompletionListener(request, _ -> guests.waiting(guest));
    return super.handle(request, response, callback);
  }

  private boolean isSigned(Request request) {
    String authorization =
        Objects.requireNonNullElse(request.getHeaders().get(HttpHeader.AUTHORIZATION), "");
    if (authorization.startsWith("AWS")) {
      return authorization.startsWith(header);
    }
    return Objects.requireNonNullElse(request.getHttpURI().getQuery(), "").contains(LINK);
  }

  private static void watch(AbstractConnector connector, Guests guests) {
    connector.addBean(
        new Connection.Listener() {
          @Override
          public void onOpened(Connection connection) {
            guests.came(connection.getEndPoint());
          }

          @Override
          public void onClosed(Connection connection) {
            guests.left(connection.getEndPoint());
          }
        });
  }
}
