package agentsessions.local.dynamodb;

import java.io.File;
import java.lang.reflect.Field;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// A launcher of DynamoDB Local that restricts it to one caller: on loopback, below a secret path,
/// and a few calls at a time.
///
/// By itself DynamoDB Local listens on every interface and accepts any signature, and has no option
/// for either. It is used by reflection, since nothing may be compiled against it; the HTTP server
/// inside it is Jetty.
public final class PrivateServer {
  private static final String RUNNER = "software.amazon.dynamodb.services.local.main.ServerRunner";

  /// The environment variable with the path: `/` and a random text. Not an argument, since every
  /// local user can read those.
  private static final String PATH = "DYNAMODB_PATH";

  /// The system property with the jars of the database, between colons.
  private static final String JARS = "agentsessions.database";

  /// The limit of calls in memory at once; others wait. One call of the service takes at most 6 MB,
  /// and the heap of the process is sized for this many of them.
  private static final int MOST_CALLS = 6;

  /// The longest wait for a turn: by then the caller has given up.
  private static final Duration TIMEOUT = Duration.ofSeconds(4);

  private PrivateServer() {}

  /// Starts the server and returns; its threads keep the process alive.
  ///
  /// @param arguments DynamoDB Local's own
  public static void main(String[] arguments)
      throws ReflectiveOperationException, MalformedURLException {
    ClassLoader database = loader(System.getProperty(JARS));
    Thread.currentThread().setContextClassLoader(database);
    Object local =
        Class.forName(RUNNER, true, database)
            .getMethod("createServerFromCommandLineArgs", String[].class)
            .invoke(null, (Object) arguments);
    Field field = local.getClass().getDeclaredField("server");
    field.setAccessible(true);
    restrict((Server) field.get(local), System.getenv(PATH));
    CommitWait.install(local, database);
    local.getClass().getMethod("start").invoke(local);
  }

  /// A loader for the database's jars. They are not on the class path, so that a class cache can be
  /// made of it: see the module's `pom.xml`.
  private static ClassLoader loader(String jars) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String jar : jars.split(File.pathSeparator, -1)) {
      urls.add(Path.of(jar).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), PrivateServer.class.getClassLoader());
  }

  static void restrict(Server server, String path) {
    Unauthenticated unauthenticated = new Unauthenticated();
    for (Connector connector : server.getConnectors()) {
      ((ServerConnector) connector).setHost("127.0.0.1");
      ((ServerConnector) connector).addBean(unauthenticated);
    }
    server.setHandler(new Below(path, inTurn(server.getHandler()), unauthenticated));
  }

  private static Handler inTurn(Handler calls) {
    QoSHandler queue = new QoSHandler(calls);
    queue.setMaxRequestCount(MOST_CALLS);
    queue.setMaxSuspend(TIMEOUT);
    return queue;
  }

  /// The connections that have not sent a request with the path yet. At the limit the oldest is
  /// closed: a caller that knows the path sends it at once.
  private static final class Unauthenticated implements Connection.Listener {
    private static final int MOST = 500;

    private final SequencedSet<EndPoint> waiting = new LinkedHashSet<>();

    @Override
    public void onOpened(Connection connection) {
      EndPoint first = added(connection.getEndPoint());
      if (first != null) {
        first.close();
      }
    }

    @Override
    public synchronized void onClosed(Connection connection) {
      waiting.remove(connection.getEndPoint());
    }

    synchronized void know(EndPoint endPoint) {
      waiting.remove(endPoint);
    }

    private synchronized @Nullable EndPoint added(EndPoint endPoint) {
      waiting.add(endPoint);
      return waiting.size() > MOST ? waiting.removeFirst() : null;
    }
  }

  /// The handler that lets only requests with the path through; it reads nothing of a refused body.
  private static final class Below extends Handler.Wrapper {
    private final byte[] path;
    private final Unauthenticated unauthenticated;

    Below(String path, Handler handler, Unauthenticated unauthenticated) {
      super(handler);
      this.path = bytes(path + "/");
      this.unauthenticated = unauthenticated;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      HttpURI uri = request.getHttpURI();
      if (MessageDigest.isEqual(bytes(String.valueOf(uri.getPath())), path)) {
        unauthenticated.know(request.getConnectionMetaData().getConnection().getEndPoint());
        HttpURI root = HttpURI.build(uri).path("/").asImmutable();
        return super.handle(Request.serveAs(request, root), response, callback);
      }
      response.setStatus(HttpStatus.FORBIDDEN_403);
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
      callback.succeeded();
      return true;
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
