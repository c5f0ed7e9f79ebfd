package agentsessions.api.events;

import agentsessions.api.artifacts.Downloads;
import agentsessions.api.decisions.SessionRequestBody;
import agentsessions.api.request.Links;
import agentsessions.api.sessions.MessageBody;
import agentsessions.api.sessions.SessionBody;
import agentsessions.api.sessions.ThreadBody;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.event.EventPosition;
import agentsessions.session.event.SessionEvent;
import agentsessions.session.id.SessionId;
import agentsessions.session.request.Request;
import agentsessions.session.usage.Usage;
import agentsessions.store.event.SessionEvents;
import agentsessions.store.message.History;
import agentsessions.store.session.Sessions;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The writer of a response with events: each event carries the JSON of the resource that it is
/// about.
final class EventWriter {
  private final SessionReader reader;
  private final Links links;
  private final SessionId session;
  private final EventQuery query;
  private final History history;
  private final Downloads downloads;
  private final JsonMapper json;
  private final EventResponse answer = new EventResponse();

  /// An event's JSON, which is the same in all responses with the same links.
  private record EventText(Links links, EventPosition place) {}

  EventWriter(
      SessionReader reader,
      Links links,
      SessionId session,
      EventQuery query,
      History history,
      Downloads downloads,
      JsonMapper json) {
    this.reader = reader;
    this.links = links;
    this.session = session;
    this.query = query;
    this.history = history;
    this.downloads = downloads;
    this.json = json;
  }

  boolean isEmpty() {
    return answer.isEmpty();
  }

  void snapshot(SessionEvents.Moment moment, EventCursor cursor) {
    EventData.Snapshot snapshot =
        new EventData.Snapshot(
            SessionBody.of(loaded(moment), links),
            ThreadBody.of(moment.seen().turn(), links),
            cursor.text(session));
    answer.begin(text(snapshot));
  }

  /// A snapshot does not read the sandbox's lock, so the usage that is not settled yet is that of
  /// the watched turn.
  private static Sessions.Loaded loaded(SessionEvents.Moment moment) {
    Session session = moment.seen().session();
    Turn turn = moment.seen().turn();
    Optional<Usage> open = turn.isSettled() ? Optional.empty() : Optional.of(turn.usage());
    return new Sessions.Loaded(session, moment.plans(), open, moment.permissions());
  }

  /// False where the response has no room for it. An event of a type that is not wanted needs none.
  boolean tell(SessionEvent event) {
    String type =
        switch (event) {
          case SessionEvent.MessageCreated _ -> EventType.MESSAGE_CREATED;
          case SessionEvent.Captured _ -> EventType.ARTIFACT_CREATED;
          case SessionEvent.Ended ended -> EventType.of(ended.turn());
        };
    return !query.wants(type)
        || tell(
            EventCursor.id(event.place(), session),
            type,
            reader.text(new EventText(links, event.place()), () -> text(data(event))));
  }

  void tell(Sessions.Loaded loaded) {
    boolean _ = tell(null, EventType.SESSION_UPDATED, text(SessionBody.of(loaded, links)));
  }

  /// An event with the present state of a turn.
  void tell(Turn turn) {
    boolean _ = tell(null, EventType.of(turn), text(ThreadBody.of(turn, links)));
  }

  /// An event with the present state of a request.
  void tell(Request request) {
    boolean _ =
        tell(null, EventType.of(request), text(SessionRequestBody.of(request, links, json)));
  }

  /// A heartbeat.
  void heartbeat() {
    answer.remark(EventType.HEARTBEAT, text(new EventData.Heartbeat()));
  }

  EventResponse end(String reason, EventCursor cursor) {
    answer.end(cursor.text(session), text(new EventData.End(reason)));
    return answer;
  }

  private Object data(SessionEvent event) {
    return switch (event) {
      case SessionEvent.MessageCreated created ->
          MessageBody.of(created.message(), history.text(created.message()));
      case SessionEvent.Captured captured -> downloads.of(captured.artifact());
      case SessionEvent.Ended ended -> ThreadBody.of(ended.turn(), links);
    };
  }

  private boolean tell(@Nullable String id, String type, String data) {
    if (answer.isFull(data)) {
      return false;
    }
    answer.add(new EventResponse.Event(id, type, data));
    return true;
  }

  private String text(Object data) {
    try {
      return json.writeValueAsString(data);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
