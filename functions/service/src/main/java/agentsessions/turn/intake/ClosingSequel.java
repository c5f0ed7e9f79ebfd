package agentsessions.turn.intake;

import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.request.Request;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.table.Change;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The sequel to a wait after a turn: what begins, and the writes that let the session go.
///
/// @param turn the turn or job that begins, if one does
/// @param events what else is announced
/// @param stamp of the wait's end
record ClosingSequel(Optional<Turn> turn, List<Write> writes, PendingEvents events, Stamp stamp) {

  /// The session goes on as it is.
  static ClosingSequel none(Session session, Request request, Instant now) {
    return ended(session, request, now, change -> change);
  }

  /// The wait is over, and nothing begins.
  ///
  /// @param left adds to the change of the session
  static ClosingSequel ended(
      Session session, Request request, Instant now, UnaryOperator<Change> left) {
    Stamp stamp = stamp(session, now);
    return new ClosingSequel(
        Optional.empty(),
        List.of(left.apply(over(session, request, stamp)).update()),
        PendingEvents.of(session.key(), session.hasWebhook()),
        stamp);
  }

  /// A stamp after all that the session has.
  static Stamp stamp(Session session, Instant now) {
    return Stamp.after(session.updatedAt().plusMicros(1), now);
  }

  /// The session waits no more.
  static Change over(Session session, Request request, Stamp stamp) {
    return SessionItem.change(session.key())
        .remove(SessionItem.CLOSING_REQUEST, SessionItem.CLOSING_SINCE)
        .set(SessionItem.UPDATED, stamp)
        .when("#plan = :plan")
        .with("plan", SessionItem.CLOSING_REQUEST, request.id());
  }
}
