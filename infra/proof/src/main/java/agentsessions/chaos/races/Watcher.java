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

/// Follows a session's event stream, and begins again from the last id when the connection is cut.
public final class Watcher implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
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

  /// One event, and when it came (`System.nanoTime`); `id` is empty where it has none.
  public record Event(String id, String type, String data, long nanos) {
    boolean isDurable() {
      return !id.isEmpty() && !type.equals("end");
    }
  }

  /// @param path below the API's base
  public Watcher(URI base, String key, String path) {
    this.url = URI.create(base + "/rest/v1" + path);
    this.key = key;
  }

  /// Follows until the stream ends, in a thread of its own, and returns once it is open.
  public Watcher follow() throws IOException, InterruptedException {
    InputStream opened = open();
    Thread.ofVirtual().start(() -> read(opened, Long.MAX_VALUE));
    return this;
  }

  /// Reads so many bytes at most of one connection; what is not whole by then is lost.
  void readOnly(long bytes) throws IOException, InterruptedException {
    try (InputStream opened = open()) {
      read(opened, bytes);
    }
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  /// The ids of what happened.
  List<String> durable() {
    return events.stream().filter(Event::isDurable).map(Event::id).toList();
  }

  /// The first event of this kind, which is waited for.
  public Event await(String what, Predicate<Event> wanted) {
    Await.await(what, PATIENCE, Duration.ofMillis(5)).until(() -> events.stream().anyMatch(wanted));
    return events.stream().filter(wanted).findFirst().orElseThrow();
  }

  /// The text of a message comes.
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
      // What has come has come.
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
