package agentsessions.api.events;

import agentsessions.session.Turn;
import agentsessions.session.event.Happening;
import agentsessions.session.event.Place;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.store.event.Happenings;
import agentsessions.store.session.Sessions;
import java.util.Optional;

/// The progress of one request for events: it reads the session poll by poll, writes what is new,
/// and moves the cursor on.
final class Following {
  /// How many happenings are read together.
  private static final int HAPPENINGS = 100;

  private final Happenings happenings;
  private final Sessions sessions;
  private final SessionKey session;
  private final Optional<TurnId> thread;
  private final EventQuery query;
  private final EventPen pen;
  private Optional<Happenings.Seen> seen = Optional.empty();
  private Optional<Place> place;
  private Told told;
  private String reason = "";

  Following(
      Happenings happenings,
      Sessions sessions,
      SessionKey session,
      Optional<TurnId> thread,
      EventQuery query,
      EventPen pen) {
    this.happenings = happenings;
    this.sessions = sessions;
    this.session = session;
    this.thread = thread;
    this.query = query;
    this.pen = pen;
    this.place = query.after().flatMap(EventCursor::place);
    this.told = Told.read(query.after().map(EventCursor::told).orElse(""));
  }

  /// The first poll.
  ///
  /// @throws agentsessions.session.Refusal if there is nothing to follow
  void begin() {
    if (query.snapshot()) {
      Happenings.Moment moment =
          happenings
              .moment(session, thread)
              .orElseThrow(() -> LiveEvents.notFound(sessions, session));
      snapshot(moment);
      see(moment.seen(), false);
    } else {
      see(
          happenings
              .look(session, thread, place.map(Place::turn))
              .orElseThrow(() -> LiveEvents.notFound(sessions, session)),
          false);
    }
  }

  /// Another poll.
  ///
  /// @param hasNext whether a further response follows that can tell the present state, so that
  ///   durable events need not wait for a read of it
  void look(boolean hasNext) {
    happenings
        .look(session, thread, seen.map(last -> last.turn().id()))
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
    return seen.filter(now -> Happenings.isBehind(place, now)).isPresent();
  }

  EventCursor cursor() {
    return new EventCursor(place, told.toString());
  }

  private void snapshot(Happenings.Moment moment) {
    EventCursor cursor =
        new EventCursor(
            Optional.of(Happenings.after(moment.seen().turn())),
            Told.of(moment.seen(), thread).toString());
    pen.snapshot(moment, cursor);
    if (query.after().isEmpty()) {
      place = cursor.place();
      told = Told.read(cursor.told());
    }
  }

  private void see(Happenings.Seen now, boolean hasNext) {
    seen = Optional.of(now);
    if (!read(now)) {
      reason = "size";
    } else if (!isBehind()) {
      if (pen.isEmpty() || !hasNext) {
        tell(now);
      }
      if (thread.isPresent() && !now.turn().live()) {
        reason = "final";
      }
    }
  }

  /// False where the response has no room for all events that were found.
  private boolean read(Happenings.Seen now) {
    while (isBehind()) {
      Happenings.Found found =
          happenings.after(now, place, query.wanted(), thread.isPresent(), HAPPENINGS);
      for (Happening happening : found.happenings()) {
        if (!pen.tell(happening)) {
          return false;
        }
        place = Optional.of(happening.place());
      }
      place = found.until();
      if (found.complete() || found.happenings().isEmpty()) {
        return true;
      }
    }
    return true;
  }

  /// Writes the present state, where it differs from the one that was sent last.
  private void tell(Happenings.Seen now) {
    Told state = Told.of(now, thread);
    if (thread.isEmpty()
        && !state.session().equals(told.session())
        && query.wants(EventType.SESSION_UPDATED)) {
      sessions.loadWithPlans(session).ifPresent(pen::tell);
    }
    Turn turn = now.turn();
    if (turn.live() && !state.thread().equals(told.thread()) && query.wants(EventType.of(turn))) {
      pen.tell(turn);
    }
    told = state;
  }
}
