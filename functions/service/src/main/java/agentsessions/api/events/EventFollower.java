package agentsessions.api.events;

import agentsessions.session.Turn;
import agentsessions.session.event.EventPosition;
import agentsessions.session.event.SessionEvent;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.TurnId;
import agentsessions.store.event.SessionEvents;
import java.util.Optional;

/// The progress of one request for events: it reads the session poll by poll, writes what is new,
/// and moves the cursor on.
final class EventFollower {
  private final SessionReader reader;
  private final Optional<TurnId> thread;
  private final EventQuery query;
  private final EventWriter writer;
  private Optional<SessionEvents.Seen> seen = Optional.empty();
  private Optional<EventPosition> place;
  private SentState sent;
  private String reason = "";

  EventFollower(
      SessionReader reader, Optional<TurnId> thread, EventQuery query, EventWriter writer) {
    this.reader = reader;
    this.thread = thread;
    this.query = query;
    this.writer = writer;
    this.place = query.after().flatMap(EventCursor::place);
    this.sent = SentState.read(query.after().map(EventCursor::sent).orElse(""));
  }

  /// The first poll.
  ///
  /// @throws agentsessions.session.Refusal if there is nothing to follow
  void begin() {
    if (query.snapshot()) {
      SessionEvents.Moment moment = reader.moment(thread).orElseThrow(reader::notFound);
      snapshot(moment);
      see(moment.seen(), false);
    } else {
      see(reader.look(thread, place.map(EventPosition::turn)).orElseThrow(reader::notFound), false);
    }
  }

  /// Another poll.
  ///
  /// @param hasNext whether a further response follows that can tell the present state, so that
  ///   durable events need not wait for a read of it
  void poll(boolean hasNext) {
    reader
        .look(thread, seen.map(last -> last.turn().id()))
        .ifPresentOrElse(now -> see(now, hasNext), () -> reason = "deleted");
  }

  /// Whether this response is complete.
  boolean isOver() {
    return !reason.isEmpty();
  }

  /// The reason why the response ends, if it ends now.
  String reason() {
    return isOver() ? reason : "wait";
  }

  /// Whether there are events that could not be read yet.
  boolean isBehind() {
    return seen.filter(now -> SessionEvents.isBehind(place, now)).isPresent();
  }

  EventCursor cursor() {
    return new EventCursor(place, sent.toString());
  }

  private void snapshot(SessionEvents.Moment moment) {
    // the message of a turn that waits has its place in the history only when it begins
    EventCursor cursor =
        new EventCursor(
            Optional.of(moment.seen().turn())
                .filter(turn -> !turn.waits())
                .map(SessionEvents::after),
            SentState.of(moment.seen(), thread).toString());
    writer.snapshot(moment, cursor);
    if (query.after().isEmpty()) {
      place = cursor.place();
      sent = SentState.read(cursor.sent());
    }
  }

  private void see(SessionEvents.Seen now, boolean hasNext) {
    seen = Optional.of(now);
    if (!read(now)) {
      reason = "size";
    } else if (!isBehind()) {
      if (writer.isEmpty() || !hasNext) {
        tell(now);
      }
      if (thread.isPresent() && !now.turn().live()) {
        reason = "final";
      }
    }
  }

  /// False where the response has no room for all events that were found.
  private boolean read(SessionEvents.Seen now) {
    while (isBehind()) {
      SessionEvents.Found found = reader.after(now, place, query.wanted(), thread.isPresent());
      for (SessionEvent event : found.events()) {
        if (!writer.tell(event)) {
          return false;
        }
        place = Optional.of(event.place());
      }
      place = found.until();
      if (found.complete() || found.events().isEmpty()) {
        return true;
      }
    }
    return true;
  }

  /// Writes the present state, where it differs from the one that was sent last.
  private void tell(SessionEvents.Seen now) {
    SentState state = SentState.of(now, thread);
    if (thread.isEmpty()
        && !state.session().equals(sent.session())
        && query.wants(EventType.SESSION_UPDATED)) {
      reader.session().ifPresent(writer::tell);
    }
    Turn turn = now.turn();
    if (turn.live() && !state.thread().equals(sent.thread()) && query.wants(EventType.of(turn))) {
      writer.tell(turn);
    }
    if (!state.request().equals(sent.request())) {
      sent.request().ifPresent(this::tell);
      state.request().ifPresent(this::tell);
    }
    sent = state;
  }

  private void tell(RequestId request) {
    reader.request(request).filter(now -> query.wants(EventType.of(now))).ifPresent(writer::tell);
  }
}
