package agentsessions.api.events;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response with events, built up event by event, as an event stream and as JSON. It holds about
/// 1 MB at most, or one event that is larger. The data of events is JSON already.
final class EventResponse {
  private static final long MOST_BYTES = 1000 * 1000;

  /// The time in milliseconds after which a client that lost its connection reconnects.
  private static final String RETRY = "retry: 1000\n\n";

  private final List<Event> events = new ArrayList<>();
  private final StringBuilder stream = new StringBuilder(RETRY);
  private @Nullable String snapshot;
  private String nextAfter = "";
  private long bytes;

  /// @param id of durable events only
  /// @param data a JSON object
  record Event(@Nullable String id, String type, String data) {
    private String json() {
      String named = id == null ? "" : "\"id\":\"" + id + "\",";
      return "{" + named + "\"type\":\"" + type + "\",\"data\":" + data + "}";
    }
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  /// The cursor from which the next request goes on.
  String nextAfter() {
    return nextAfter;
  }

  /// Whether an event with this data would have no room.
  boolean isFull(String data) {
    return !isEmpty() && bytes + size(data) > MOST_BYTES;
  }

  void add(Event event) {
    events.add(event);
    bytes += size(event.data());
    append(event);
  }

  /// Adds an event to the stream only, which is no reason to end the wait.
  void remark(String type, String data) {
    append(new Event(null, type, data));
  }

  /// Adds the snapshot, before all events.
  void begin(String moment) {
    snapshot = moment;
    append(new Event(null, EventType.SNAPSHOT, moment));
  }

  /// @param next the cursor from which to go on, which is the last event's id in a stream
  void end(String next, String data) {
    nextAfter = next;
    append(new Event(next, EventType.END, data));
  }

  String stream() {
    return stream.toString();
  }

  /// The response as one JSON object.
  String page() {
    String items = String.join(",", events.stream().map(Event::json).toList());
    String moment = snapshot == null ? "" : ",\"snapshot\":" + snapshot;
    return "{\"items\":[%s],\"next_after\":\"%s\"%s}".formatted(items, nextAfter, moment);
  }

  private void append(Event event) {
    stream.append("event: ").append(event.type()).append('\n');
    if (event.id() != null) {
      stream.append("id: ").append(event.id()).append('\n');
    }
    stream.append("data: ").append(event.data()).append("\n\n");
  }

  private static long size(String data) {
    return data.getBytes(StandardCharsets.UTF_8).length;
  }
}
