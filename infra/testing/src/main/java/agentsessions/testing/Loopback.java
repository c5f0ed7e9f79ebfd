package agentsessions.testing;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/// An HTTP server on loopback that stands in for a real one. It handles requests in parallel.
public final class Loopback implements AutoCloseable {
  private final HttpServer server;

  /// @param port 0 for any free port
  public Loopback(int port, HttpHandler handler) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    serve("/", handler);
    server.start();
  }

  public Loopback(HttpHandler handler) {
    this(0, handler);
  }

  /// Installs a handler for requests at a path and below.
  public void serve(String path, HttpHandler handler) {
    server.createContext(path, handler);
  }

  public String url() {
    return "http://127.0.0.1:" + port();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
