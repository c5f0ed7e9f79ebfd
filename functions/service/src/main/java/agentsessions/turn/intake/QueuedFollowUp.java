package agentsessions.turn.intake;

import agentsessions.session.FollowUp;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.BroughtFile;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.session.SessionPointers;
import agentsessions.store.session.StoredInputs;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.Write;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.WaitingMessageItem;
import agentsessions.turn.TurnQueue;
import io.micronaut.context.BeanProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A follow-up whose turn waits until those before it have ended.
record QueuedFollowUp(Session session, FollowUp followUp, Turn next) implements Continuation {
  /// The ids that are left free before that of a turn which waits, one for each millisecond: a
  /// message that interrupts goes before it, and ids are in the order in which turns begin.
  private static final long FREE_IDS = 1_000;

  /// @param dueAt the time at which the sweep sees whether the turn was forgotten
  static QueuedFollowUp of(
      Session session, FollowUp followUp, String baseUrl, Instant now, Instant dueAt) {
    Stamp stamp = Stamp.after(session.updatedAt(), now);
    TurnId id = TimeOrderedIds.turn(stamp, session.newest(), FREE_IDS);
    Receipt receipt = new Receipt(session.key().turn(id), stamp);
    return new QueuedFollowUp(
        session, followUp, Turn.waiting(session, receipt, baseUrl, dueAt, followUp));
  }

  @Override
  public List<Write> writes(BeanProvider<StoredInputs> storedInputs, Instant now) {
    List<Write> writes = new ArrayList<>(List.of(lengthened().update()));
    writes.addAll(NewTurn.writes(next, followUp.files()));
    writes.add(
        WaitingMessageItem.put(next.key(), followUp.message(), BroughtFile.of(followUp.files()))
            .put());
    writes.add(Change.of(Layout.waitingMark(next.key())).put());
    if (session.archived()) {
      writes.addAll(SessionPointers.moved(session, false));
    }
    if (!followUp.credentials().isEmpty()) {
      writes.add(storedInputs.get().change(session.key(), followUp.credentials()));
    }
    return writes;
  }

  private Change lengthened() {
    List<TurnId> waiting = new ArrayList<>(session.waiting());
    waiting.add(next.id());
    return TurnQueue.asSeen(session)
        .set(SessionItem.WAITING, waiting)
        .set(SessionItem.ARCHIVED, false)
        .set(SessionItem.UPDATED, next.firstStamp())
        .when("#turn_seq = :seen AND #working = :working AND #archived = :archived")
        .with("seen", SessionItem.TURN_NUMBER, session.turns().number())
        .with("working", SessionItem.WORKING, session.working())
        .with("archived", SessionItem.ARCHIVED, session.archived());
  }

  @Override
  public PendingEvents events() {
    return PendingEvents.of(session.key(), session.hasWebhook());
  }
}
