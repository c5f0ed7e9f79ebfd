package agentsessions.turn.intake;

import agentsessions.session.FollowUp;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.session.SessionPointers;
import agentsessions.store.session.StoredInputs;
import agentsessions.table.Change;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import agentsessions.turn.Interruption;
import agentsessions.turn.MessageWrites;
import agentsessions.turn.TurnQueue;
import io.micronaut.context.BeanProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A follow-up whose turn begins at once. It ends the session's current one as interrupted if that
/// is live, and goes before the turns that wait.
///
/// @param running the current turn, if it is live
/// @param decides whether it comes with the decision on what the session waits for, which is then
///   not closed
record BegunFollowUp(
    Session session, Optional<Turn> running, FollowUp followUp, Turn next, boolean decides)
    implements Continuation {
  private static final long MILLISECOND = 1_000;

  /// @param running the current turn, if it is live
  /// @param dueAt the time from which the sweep looks at the next turn
  static BegunFollowUp of(
      Session session,
      Optional<Turn> running,
      FollowUp followUp,
      String baseUrl,
      Instant now,
      Instant dueAt) {
    Stamp stamp = stamp(session, running, now);
    Turn next =
        Turn.queued(
            session,
            session.turns().number() + 1,
            new Receipt(session.key().turn(id(session, stamp)), stamp),
            baseUrl,
            dueAt,
            Turn.Work.of(
                session,
                followUp.model() == null ? session.model() : followUp.model(),
                !followUp.files().isEmpty()),
            followUp.keyId(),
            followUp.limits());
    return new BegunFollowUp(session, running, followUp, next, false);
  }

  /// The same with the decision on what the session waits for.
  BegunFollowUp deciding() {
    return new BegunFollowUp(session, running, followUp, next, true);
  }

  /// The same of a turn that carries out a plan which was allowed.
  BegunFollowUp approved() {
    return new BegunFollowUp(session, running, followUp, next.approved(), decides);
  }

  /// Sorts after the current turn, and before those that wait.
  private static TurnId id(Session session, Stamp stamp) {
    return session.waiting().isEmpty()
        ? TimeOrderedIds.turn(stamp, session.currentTurn(), 1)
        : TimeOrderedIds.turn(Stamp.ZERO, session.currentTurn(), 1);
  }

  /// Whether there is an id before those of the turns that wait.
  static boolean hasRoom(Session session) {
    return session.waiting().isEmpty()
        || session.currentTurn().millis() + 1 < session.waiting().getFirst().millis();
  }

  private static Stamp stamp(Session session, Optional<Turn> running, Instant now) {
    Stamp last =
        running
            .map(turn -> Interruption.lastStamp(session, turn))
            .orElse(session.turns().lastStamp())
            .plusMicros(MILLISECOND);
    return session.working() ? Interruption.stamp(last, now) : Stamp.after(last, now);
  }

  @Override
  public List<Write> writes(BeanProvider<StoredInputs> storedInputs, Instant now) {
    Change moved = moved();
    List<Write> writes = new ArrayList<>();
    running.ifPresent(turn -> {
      Change end =
          Interruption.of(turn, now, TurnStatus.INTERRUPTED, next.firstStamp())
              .set(TurnItem.SUPERSEDED_BY, next.id());
      writes.addAll(Interruption.writes(end, turn, now, moved));
    });
    writes.addFirst(moved.update());
    if (!decides) {
      writes.addAll(RequestWrites.closed(session));
    }
    writes.addAll(NewTurn.writes(next, followUp.files()));
    writes.addAll(MessageWrites.of(next, followUp.accepted(next.receipt())));
    if (session.archived()) {
      writes.addAll(SessionPointers.moved(session, false));
    }
    if (!followUp.credentials().isEmpty()) {
      writes.add(storedInputs.get().change(session.key(), followUp.credentials()));
    }
    return writes;
  }

  private Change moved() {
    Change moved =
        TurnQueue.asLeft(TurnQueue.closing(TurnQueue.asPermitted(session), session), session)
            .set(SessionItem.CURRENT, next.id())
            .set(SessionItem.TURN_NUMBER, next.number())
            .set(SessionItem.WORKING, true)
            .set(SessionItem.ARCHIVED, false)
            .set(SessionItem.UPDATED, next.firstStamp())
            .when("#turn_seq = :seen AND #last_ts < :ts AND #archived = :archived")
            .with("archived", SessionItem.ARCHIVED, session.archived())
            .with("seen", SessionItem.TURN_NUMBER, session.turns().number())
            .with("ts", SessionItem.LAST, next.firstStamp());
    if (followUp.model() != null) {
      moved.set(SessionItem.MODEL, followUp.model());
    }
    if (session.working()) {
      moved
          .set(SessionItem.OUTCOME, TurnStatus.INTERRUPTED)
          .remove(SessionItem.PREVIEW, SessionItem.REQUEST);
    }
    return moved;
  }

  @Override
  public PendingEvents events() {
    Optional<Turn.Held> open =
        decides ? Optional.empty() : running.flatMap(Turn::held).or(session::closingRequest);
    PendingEvents events =
        PendingEvents.of(session.key(), session.hasWebhook())
            .closed(session.currentTurn(), open, next.firstStamp().plusMicros(-1));
    return session.working()
        ? events.turn(session.currentTurn(), TurnStatus.INTERRUPTED, next.firstStamp())
        : events;
  }
}
