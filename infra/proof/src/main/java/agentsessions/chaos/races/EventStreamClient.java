package agentsessions.chaos.races;

import agentsessions.talk.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/// A client of a session's event stream that resumes from the last event id after its connection
/// was cut.
public final class EventStreamClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .proxy(HttpClient.Builder.NO_PROXY)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private final URI url;
  private final String key;
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private String lastId = "";
  private volatile InputStream stream = InputStream.nullInputStream();

  /// One event with its arrival time (`System.nanoTime`); `id` is empty for events that have none.
  public record Event(String id, String type, String data, long nanos) {
    boolean isDurable() {
      return !id.isEmpty() && !type.equals("end");
    }
  }

  /// @param path of the stream, below the API's base
  public EventStreamClient(URI base, String key, String path) {
    this.url = URI.create(base + "/rest/v1" + path);
    this.key = key;
  }

  /// Opens the stream and returns; reads it to its end in a thread of its own.
  public EventStreamClient follow() throws IOException, InterruptedException {
    InputStream opened = open();
    Thread.ofVirtual().start(() -> read(opened, Long.MAX_VALUE));
    return this;
  }

  /// Reads at most so many bytes of one connection; an event that is incomplete by then is lost.
  void readOnly(long bytes) throws IOException, InterruptedException {
    try (InputStream opened = open()) {
      read(opened, bytes);
    }
  }

  public List<Event> events() {
    return List.copyOf(events);
  }

  /// The ids of durable events: those that are also in the listings.
  List<String> durable() {
    return events.stream().filter(Event::isDurable).map(Event::id).toList();
  }

  /// Waits for the first event that matches.
  public Event await(String what, Predicate<Event> wanted) {
    Await.await(what, TIMEOUT, Duration.ofMillis(5)).until(() -> events.stream().anyMatch(wanted));
    return events.stream().filter(wanted).findFirst().orElseThrow();
  }

  /// Waits for the event of the message with this text.
  public Event awaitMessage(String text) {
    return await(
        "the message " + text,
        event ->
            event.type().equals("message.created")
                && event.data().contains("\"message\":\"" + text + "\""));
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private InputStream open() throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Authorization", "ApiKey " + key)
            .header("Accept", "text/event-stream");
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    HttpResponse<InputStream> response = HTTP.send(request.build(), BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new AssertionError(url + ": " + response.statusCode());
    }
    stream = response.body();
    return response.body();
  }

  private void read(InputStream opened, long bytes) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    try {
      int before = -1;
      for (long left = bytes; left > 0; left--) {
        int next = opened.read();
        if (next < 0) {
          return;
        }
        block.write(next);
        if (next == '\n' && before == '\n') {
          take(block.toString(StandardCharsets.UTF_8));
          block.reset();
        }
        before = next;
      }
    } catch (IOException closed) {
      // The connection was cut: the events so far stay.
    }
  }

  private void take(String block) {
    String id = field(block, "id: ");
    lastId = id.isEmpty() ? lastId : id;
    String type = field(block, "event: ");
    if (!type.isEmpty()) {
      events.add(new Event(id, type, field(block, "data: "), System.nanoTime()));
    }
  }

  private static String field(String block, String name) {
    return block
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElse("");
  }
}
