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

/// DynamoDB Local for one caller: on loopback, only below a path that nobody else knows, and a few
/// calls at a time.
///
/// By itself it listens on every interface and believes any signature, and has no option for
/// either. It is met by name alone, since nothing may be compiled against it; the HTTP server
/// inside is Jetty's.
public final class PrivateServer {
  private static final String RUNNER = "software.amazon.dynamodb.services.local.main.ServerRunner";

  /// The environment variable with the path: `/` and a random text. Not an argument, since
  /// everybody may read those.
  private static final String PATH = "DYNAMODB_PATH";

  /// The system property with the jars of the database, between colons.
  private static final String JARS = "agentsessions.database";

  /// So many calls are in its memory at once, others wait. The service asks for 6 MB at most by one
  /// call; the heap that the process is given is for as many of these.
  private static final int MOST_CALLS = 6;

  /// A caller that has given up has no need of an answer.
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private PrivateServer() {}

  /// Starts the server and returns; its threads keep the process.
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
    local.getClass().getMethod("start").invoke(local);
  }

  /// The database's jars are not on the class path, for the sake of the cache of what is: see the
  /// module's `pom.xml`.
  private static ClassLoader loader(String jars) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String jar : jars.split(File.pathSeparator, -1)) {
      urls.add(Path.of(jar).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), PrivateServer.class.getClassLoader());
  }

  static void restrict(Server server, String path) {
    Strangers strangers = new Strangers();
    for (Connector connector : server.getConnectors()) {
      ((ServerConnector) connector).setHost("127.0.0.1");
      ((ServerConnector) connector).addBean(strangers);
    }
    server.setHandler(new Below(path, inTurn(server.getHandler()), strangers));
  }

  private static Handler inTurn(Handler calls) {
    QoSHandler queue = new QoSHandler(calls);
    queue.setMaxRequestCount(MOST_CALLS);
    queue.setMaxSuspend(PATIENCE);
    return queue;
  }

  /// Connections that have not named the path yet. So many may wait; one more, and the first of
  /// them goes: who knows the path names it at once.
  private static final class Strangers implements Connection.Listener {
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

  /// Lets nobody through but who knows the path; nothing of a refused body is read.
  private static final class Below extends Handler.Wrapper {
    private final byte[] path;
    private final Strangers strangers;

    Below(String path, Handler handler, Strangers strangers) {
      super(handler);
      this.path = bytes(path + "/");
      this.strangers = strangers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      HttpURI uri = request.getHttpURI();
      if (MessageDigest.isEqual(bytes(String.valueOf(uri.getPath())), path)) {
        strangers.know(request.getConnectionMetaData().getConnection().getEndPoint());
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
