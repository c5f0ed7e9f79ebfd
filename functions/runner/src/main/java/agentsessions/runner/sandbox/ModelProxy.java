package agentsessions.runner.sandbox;

import agentsessions.runner.agent.AgentEntry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/// One agent's only way out: everything it sends goes to its entry's model and nowhere else, below
/// the path of the model's URL, with the entry's headers. So the key never comes to the agent.
public final class ModelProxy implements AutoCloseable {
  /// A model may think so long without a word.
  private static final Duration SILENCE = Duration.ofMinutes(30);

  private static final int THREADS = 24;

  private final Server server;
  private final AbstractConnector connector;
  private final Path folder;

  private ModelProxy(Server server, AbstractConnector connector, Path folder) {
    this.server = server;
    this.connector = connector;
    this.folder = folder;
  }

  /// A proxy behind a Unix socket, which only `user` may use; for {@link Bridge}.
  ///
  /// @param model with all names filled in
  static ModelProxy onSocket(AgentEntry.Model model, AgentUser user) throws IOException {
    // Not in the session's folder: a socket's path is at most 100 bytes long.
    Path folder = Files.createTempDirectory("model");
    Server server = server(model);
    UnixDomainServerConnector connector = new UnixDomainServerConnector(server, 1, 1, http());
    connector.setUnixDomainPath(folder.resolve("socket"));
    ModelProxy proxy = new ModelProxy(server, connector, folder).started();
    user.own(proxy.socket());
    return proxy;
  }

  /// A proxy on a free port of loopback.
  ///
  /// @param model with all names filled in
  static ModelProxy onLoopback(AgentEntry.Model model) throws IOException {
    Server server = server(model);
    ServerConnector connector = new ServerConnector(server, 1, 1, http());
    connector.setHost("127.0.0.1");
    return new ModelProxy(server, connector, Files.createTempDirectory("model")).started();
  }

  Path socket() {
    return folder.resolve("socket");
  }

  public int port() {
    return connector instanceof ServerConnector tcp ? tcp.getLocalPort() : BridgeSetup.PORT;
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
    SessionFolder.deleteIfPossible(folder);
  }

  private ModelProxy started() throws IOException {
    connector.setIdleTimeout(SILENCE.toMillis());
    server.addConnector(connector);
    try {
      server.start();
      return this;
    } catch (Exception failed) {
      close();
      throw new IOException("the model's proxy: " + failed.getMessage(), failed);
    }
  }

  private static Server server(AgentEntry.Model model) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("model");
    threads.setDaemon(true);
    Server server = new Server(threads);
    server.setHandler(new Gate(URI.create(model.url()), model.headers()));
    return server;
  }

  private static HttpConnectionFactory http() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    return new HttpConnectionFactory(configuration);
  }

  /// What an agent says of itself in a header that the entry names is not passed on.
  private static final class Gate extends ProxyHandler.Reverse {
    private static final Set<String> METHODS =
        Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final URI model;
    private final Map<String, String> headers;

    private Gate(URI model, Map<String, String> headers) {
      super(request -> target(model, request.getHttpURI()));
      this.model = model;
      this.headers = headers;
    }

    private static HttpURI target(URI model, HttpURI asked) {
      String base = model.getRawPath() == null ? "" : model.getRawPath().replaceFirst("/$", "");
      return HttpURI.build(asked)
          .scheme(model.getScheme())
          .host(model.getHost())
          .port(model.getPort())
          .path(base + asked.getPath());
    }

    @Override
    public boolean handle(
        org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
      if (!METHODS.contains(agent.getMethod())) {
        Response.writeError(agent, answer, callback, HttpStatus.METHOD_NOT_ALLOWED_405);
        return true;
      }
      return super.handle(agent, answer, callback);
    }

    @Override
    protected void copyRequestHeaders(org.eclipse.jetty.server.Request agent, Request onward) {
      super.copyRequestHeaders(agent, onward);
      onward.headers(all -> all.put(HttpHeader.HOST, model.getRawAuthority()));
      onward.headers(all -> headers.forEach(all::put));
    }

    /// Nobody needs to know that there is a proxy.
    @Override
    protected void addProxyHeaders(org.eclipse.jetty.server.Request agent, Request onward) {}
  }
}
