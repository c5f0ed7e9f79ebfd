package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A long event stream, assembled from successive calls of the function. Each call continues after
/// the last event of the one before, as long as the stream goes on and the key is valid.
///
/// One response of the function holds the events of a few seconds at most and finishes with an
/// `end` event that says whether to go on; the client gets that event only at the end of the
/// stream.
final class OpenStream implements HttpMessage.Rest {
  private static final String STREAM = "text/event-stream";

  /// The longest wait of one call, and so the interval of the stream's heartbeats.
  private static final String SECONDS = "10";

  /// The shortest interval of key checks. They come between calls of up to ten seconds, so that the
  /// longest is 30 seconds.
  private static final long KEY_NANOS = Duration.ofSeconds(20).toNanos();

  private static final Pattern END =
      Pattern.compile("event: end\nid: (?<id>.*)\ndata: \\{\"reason\":\"(?<reason>\\w+)\"}\n\n$");

  private static final Pattern EVENTS = Pattern.compile("/events/*$");

  private final Request request;
  private final Call function;
  private final Check key;
  private final Runnable release;
  private long keyLookedAt = System.nanoTime();
  private String lastId = "";
  private boolean over;

  /// @param key fails if the key is no longer valid
  /// @param release to be run when the stream has ended
  OpenStream(Request request, Call function, Check key, Runnable release) {
    this.request = request;
    this.function = function;
    this.key = key;
    this.release = release;
  }

  @FunctionalInterface
  interface Call {
    Answer make(Request request) throws IOException;
  }

  @FunctionalInterface
  interface Check {
    Object check() throws IOException;
  }

  /// Whether a request is for an event stream without a time limit of its own (`wait`).
  static boolean isWanted(Request request) {
    return request.method().equals("GET")
        && isOfEvents(request)
        && isOfStream(request)
        && !ProxyEvent.query(request.query()).containsKey("wait");
  }

  /// Whether a request is for a single response with a wait (long polling), which occupies its
  /// connection as well. A stream waits even if nobody asks for it: a HEAD of one is such a
  /// response.
  static boolean waits(Request request) {
    List<String> seconds = ProxyEvent.query(request.query()).getOrDefault("wait", List.of());
    boolean waits = seconds.isEmpty() ? isOfStream(request) : !seconds.equals(List.of("0"));
    return waits && isOfEvents(request);
  }

  private static boolean isOfStream(Request request) {
    return request.values("Accept").stream().anyMatch(accepted -> accepted.contains(STREAM));
  }

  /// Also with slashes at the end, which the function ignores.
  private static boolean isOfEvents(Request request) {
    return EVENTS.matcher(request.path()).find();
  }

  /// The first part: the events up to now.
  Answer begin() throws IOException {
    try {
      Answer first = function.make(asked(request.query(), request.headers(), "0"));
      if (isStream(first)) {
        return first.followedBy(part(first), this);
      }
      close();
      return first;
    } catch (IOException | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /// The next events, after a wait.
  @Override
  public Optional<byte[]> next() throws IOException {
    if (over) {
      return Optional.empty();
    }
    try {
      lookAtKey();
      Answer answer = function.make(asked("", headers(), SECONDS));
      return switch (answer.status()) {
        case 200 -> Optional.of(part(answer));
        case 404 -> ended("deleted");
        default -> Optional.empty();
      };
    } catch (GatewayResponse refused) {
      return refused.isUnauthorized() ? ended("key") : Optional.empty();
    }
  }

  @Override
  public void close() {
    over = true;
    release.run();
  }

  private void lookAtKey() throws IOException {
    if (System.nanoTime() - keyLookedAt > KEY_NANOS) {
      key.check();
      keyLookedAt = System.nanoTime();
    }
  }

  /// The events of a response, without the `end` event if the stream goes on.
  private byte[] part(Answer answer) {
    String events = new String(answer.body(), StandardCharsets.UTF_8);
    Matcher end = END.matcher(events);
    if (!end.find()) {
      throw new IllegalStateException("an event stream without an end");
    }
    String begin = lastId.isEmpty() ? events : events.substring(events.indexOf("\n\n") + 2);
    lastId = end.group("id");
    over = !List.of("wait", "size").contains(end.group("reason"));
    String shown = over ? begin : begin.substring(0, begin.length() - end.group().length());
    return shown.getBytes(StandardCharsets.UTF_8);
  }

  private Optional<byte[]> ended(String reason) {
    over = true;
    String end = "event: end\nid: %s\ndata: {\"reason\":\"%s\"}\n\n".formatted(lastId, reason);
    return Optional.of(end.getBytes(StandardCharsets.UTF_8));
  }

  private Request asked(String query, List<Header> headers, String seconds) {
    String kept = lastId.isEmpty() ? query : types();
    return request.with(kept + (kept.isEmpty() ? "" : "&") + "wait=" + seconds, headers);
  }

  /// The part of the query that applies to every call: the filter by types.
  private String types() {
    List<String> types = ProxyEvent.query(request.query()).getOrDefault("types", List.of());
    return String.join("&", types.stream().map(type -> "types=" + type).toList());
  }

  private List<Header> headers() {
    List<Header> headers = new ArrayList<>(request.headers());
    headers.removeIf(header -> header.name().equalsIgnoreCase("Last-Event-ID"));
    headers.add(new Header("Last-Event-ID", lastId));
    return headers;
  }

  private static boolean isStream(Answer answer) {
    return answer.status() == 200
        && answer.values("Content-Type").stream().anyMatch(type -> type.startsWith(STREAM));
  }
}
