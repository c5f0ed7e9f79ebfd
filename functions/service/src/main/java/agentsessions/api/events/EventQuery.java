package agentsessions.api.events;

import agentsessions.api.request.AcceptHeader;
import agentsessions.api.request.Call;
import agentsessions.api.request.Query;
import agentsessions.session.Refusal;
import agentsessions.session.id.SessionId;
import agentsessions.store.event.SessionEvents;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The query of a request for events: its cursor, event types, longest wait, snapshot, and form.
///
/// @param after the cursor; empty: from the beginning, or from the snapshot if one is wanted
/// @param isStream whether the response is an event stream, and not JSON
record EventQuery(
    Optional<EventCursor> after,
    Set<String> types,
    Duration longest,
    boolean snapshot,
    boolean isStream) {
  static final String STREAM = "text/event-stream";
  private static final String USUAL_SECONDS = "15";
  private static final String[] TYPES = {
    EventType.MESSAGE_CREATED,
    EventType.ARTIFACT_CREATED,
    EventType.SESSION_UPDATED,
    "thread.queued",
    "thread.running",
    "thread.requires_action",
    EventType.REQUEST_CREATED,
    EventType.REQUEST_DECIDED,
    EventType.REQUEST_EXPIRED,
    EventType.REQUEST_CLOSED,
    "thread.completed",
    "thread.failed",
    "thread.interrupted",
    "thread.cancelled",
    "thread.timed_out"
  };

  static EventQuery read(Call call, SessionId session) {
    Query query = call.parameters();
    boolean isStream = AcceptHeader.isAsked(call, STREAM);
    Optional<EventCursor> after =
        call.header("Last-Event-ID")
            .filter(id -> !id.isEmpty())
            .map(id -> EventCursor.read("Last-Event-ID", id, session))
            .or(() -> query.one("after").map(text -> EventCursor.read("after", text, session)));
    List<String> types = query.some("types", TYPES);
    return new EventQuery(
        after,
        new TreeSet<>(types.isEmpty() ? List.of(TYPES) : types),
        seconds(query.one("wait").orElse(isStream ? USUAL_SECONDS : "0")),
        query.oneOf("snapshot", "true", "false").map("true"::equals).orElse(false),
        isStream);
  }

  boolean wants(String type) {
    return types.contains(type);
  }

  SessionEvents.Wanted wanted() {
    return new SessionEvents.Wanted(
        wants(EventType.MESSAGE_CREATED),
        wants(EventType.ARTIFACT_CREATED),
        types.stream().anyMatch(EventType::isEnd));
  }

  private static Duration seconds(String text) {
    if (!text.matches("1?[0-9]|20")) {
      throw Refusal.invalid("wait", "must be a whole number from 0 to 20");
    }
    return Duration.ofSeconds(Integer.parseInt(text));
  }
}
