package agentsessions.chaos.rig;

import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// An HTTP proxy between the AWS SDK and the stand-ins of AWS, which counts, changes, drops or
/// holds calls. The SDK uses it by its own proxy settings, so the service is not changed for it.
///
/// A rule belongs to a mark: it gets the calls that contain that text (a workspace, a session), so
/// that many experiments can run at the same time.
public final class AwsProxy implements AutoCloseable {
  private static final Set<String> NOT_FORWARDED =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "proxy-connection",
          "upgrade");
  private static final Set<String> NOT_RETURNED =
      Set.of("connection", "content-length", "date", "keep-alive", "transfer-encoding");

  /// The handling of a call.
  @FunctionalInterface
  public interface Rule {
    ProxyReply reply(AwsCall call, Onward onward) throws IOException, InterruptedException;
  }

  /// Forwards the call to its destination.
  @FunctionalInterface
  public interface Onward {
    ProxyReply send() throws IOException, InterruptedException;
  }

  private final Loopback server;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .proxy(HttpClient.Builder.NO_PROXY)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();
  private final Map<String, Rule> rules = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Rule otherwise;

  /// @param otherwise the rule of calls that contain no mark
  private AwsProxy(Rule otherwise) {
    this.otherwise = otherwise;
    server = new Loopback(this::serve);
  }

  public static AwsProxy open(Rule otherwise) {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    return new AwsProxy(otherwise);
  }

  /// The system properties by which a process's SDK uses this proxy.
  public Map<String, String> properties() {
    return Map.of("http.proxyHost", "127.0.0.1", "http.proxyPort", Integer.toString(server.port()));
  }

  /// From now on `rule` handles the calls that contain `mark`.
  public void rule(String mark, Rule rule) {
    rules.put(mark, rule);
  }

  public void forget(String mark) {
    rules.remove(mark);
  }

  @Override
  public void close() {
    closed.countDown();
    server.close();
    client.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      AwsCall call = AwsCall.of(exchange, body);
      Rule rule = rule(call);
      ProxyReply reply = rule.reply(call, () -> forward(exchange, body));
      while (reply.status() < 0 && rule(call).equals(rule) && !isClosed()) {}
      if (reply.status() > 0) {
        answer(exchange, reply);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits a moment, so that the loop around it does not spin.
  private boolean isClosed() throws InterruptedException {
    return closed.await(10, TimeUnit.MILLISECONDS);
  }

  private Rule rule(AwsCall call) {
    return rules.entrySet().stream()
        .filter(entry -> call.names(entry.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(otherwise);
  }

  private ProxyReply forward(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(exchange.getRequestURI())
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    exchange.getRequestHeaders().forEach((name, values) -> copy(request, name, values));
    return ProxyReply.of(client.send(request.build(), BodyHandlers.ofByteArray()));
  }

  private static void copy(HttpRequest.Builder request, String name, List<String> values) {
    if (!NOT_FORWARDED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
      values.forEach(value -> request.header(name, value));
    }
  }

  private static void answer(HttpExchange exchange, ProxyReply reply) throws IOException {
    reply
        .headers()
        .forEach((name, values) -> {
          if (!NOT_RETURNED.contains(name) && !name.startsWith(":")) {
            exchange.getResponseHeaders().put(name, values);
          }
        });
    if (exchange.getRequestMethod().equals("HEAD")) {
      reply
          .headers()
          .getOrDefault("content-length", List.of())
          .forEach(length -> exchange.getResponseHeaders().set("Content-Length", length));
      exchange.sendResponseHeaders(reply.status(), -1);
    } else {
      exchange.sendResponseHeaders(
          reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
      exchange.getResponseBody().write(reply.body());
    }
  }
}
