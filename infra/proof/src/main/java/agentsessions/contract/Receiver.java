package agentsessions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/// Somebody on this machine who is sent events, and answers as it is told.
final class Receiver implements AutoCloseable {
  /// What it does with an event.
  interface Manner {
    void answer(HttpExchange exchange) throws IOException;
  }

  /// One request that came, with its headers by their names in lower case.
  record Came(Map<String, List<String>> headers, String body) {
    String id() {
      return headers.getOrDefault("webhook-id", List.of("")).getFirst();
    }

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException malformed) {
        throw new UncheckedIOException(malformed);
      }
    }

    String type() {
      return json().path("type").asText();
    }

    /// Whether it was signed with this secret, as the official library sees it.
    boolean isSignedBy(String secret) {
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch (WebhookVerificationException forged) {
        return false;
      }
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final List<Came> came = new CopyOnWriteArrayList<>();
  private final AtomicReference<Manner> manner = new AtomicReference<>(with(204));

  Receiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::take);
    server.start();
  }

  static Manner with(int status) {
    return exchange -> exchange.sendResponseHeaders(status, -1);
  }

  static Manner with(int status, String header, String value) {
    return exchange -> {
      exchange.getResponseHeaders().set(header, value);
      exchange.sendResponseHeaders(status, -1);
    };
  }

  void answers(Manner with) {
    manner.set(with);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook?of=mine";
  }

  List<Came> came() {
    return List.copyOf(came);
  }

  /// All that came of these types, once there are as many.
  List<Came> await(int count, String... types) {
    List<String> wanted = List.of(types);
    return Pace.until(
        count + " of " + wanted,
        () -> {
          List<Came> found =
              came.stream().filter(one -> wanted.isEmpty() || wanted.contains(one.type())).toList();
          return found.size() >= count ? Optional.of(found) : Optional.empty();
        });
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Map<String, List<String>> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
      came.add(new Came(headers, new String(body, StandardCharsets.UTF_8)));
      manner.get().answer(exchange);
    }
  }
}
