package agentsessions.talk;

import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// A webhook receiver on this machine: records the events that are sent to it, and answers as a
/// test tells it.
public final class WebhookReceiver implements AutoCloseable {
  /// The receiver's answer to an event.
  @FunctionalInterface
  public interface Manner {
    void answer(HttpExchange exchange) throws IOException;
  }

  /// One request that came; names of headers in lower case.
  public record Came(Map<String, List<String>> headers, String body) {
    public String id() {
      return headers.getOrDefault("webhook-id", List.of("")).getFirst();
    }

    public JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException malformed) {
        throw new UncheckedIOException(malformed);
      }
    }

    public String type() {
      return json().path("type").asText();
    }

    /// Whether the request is signed with this secret, checked by the official library.
    public boolean isSignedBy(String secret) {
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch (WebhookVerificationException forged) {
        return false;
      }
    }
  }

  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Loopback server;
  private final Duration limit;
  private final List<Came> came = new CopyOnWriteArrayList<>();
  private final AtomicReference<Manner> manner = new AtomicReference<>(with(204));
  private final AtomicReference<Consumer<Came>> ear = new AtomicReference<>(came::add);

  /// @param limit longest wait for expected events
  public WebhookReceiver(Duration limit) {
    this.limit = limit;
    server = new Loopback(this::take);
  }

  public static Manner with(int status) {
    return exchange -> exchange.sendResponseHeaders(status, -1);
  }

  public static Manner with(int status, String header, String value) {
    return exchange -> {
      exchange.getResponseHeaders().set(header, value);
      exchange.sendResponseHeaders(status, -1);
    };
  }

  public void answers(Manner with) {
    manner.set(with);
  }

  /// From now on each event goes to this listener, and is no longer recorded.
  public void tells(Consumer<Came> listener) {
    ear.set(listener);
  }

  public String url() {
    return server.url() + "/hook?of=mine";
  }

  public List<Came> came() {
    return List.copyOf(came);
  }

  /// All recorded events of these types, once there are this many.
  public List<Came> await(int count, String... types) {
    List<String> wanted = List.of(types);
    return of(until(count + " of " + wanted, all -> of(all, wanted).size() >= count), wanted);
  }

  /// All recorded events, once the condition holds.
  public List<Came> until(String what, Predicate<List<Came>> enough) {
    return Await.await(what, limit, POLL_INTERVAL).until(this::came, enough);
  }

  private static List<Came> of(List<Came> all, List<String> types) {
    return all.stream().filter(one -> types.isEmpty() || types.contains(one.type())).toList();
  }

  @Override
  public void close() {
    server.close();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Map<String, List<String>> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
      ear.get().accept(new Came(headers, new String(body, StandardCharsets.UTF_8)));
      manner.get().answer(exchange);
    }
  }
}
