package agentsessions.turn.intake;

import agentsessions.session.NewSession;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.SessionWebhook;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.session.SessionPointers;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.webhook.Webhooks;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.Write;
import agentsessions.table.item.PermissionsItem;
import agentsessions.table.item.SessionItem;
import agentsessions.turn.MessageWrites;
import io.micronaut.context.BeanProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The creation of a session, with its first turn.
record Creation(NewSession newSession, Session session, Turn turn) {

  /// @param dueAt the time from which the sweep looks at the turn
  static Creation of(
      Workspace workspace, NewSession newSession, String baseUrl, Instant now, Instant dueAt) {
    Stamp stamp = Stamp.of(now);
    SessionKey key = new SessionKey(workspace, new SessionId(UUID.randomUUID()));
    Receipt receipt = new Receipt(key.turn(TimeOrderedIds.turn(stamp)), stamp);
    Session session = Session.begun(receipt, newSession);
    Turn turn =
        Turn.queued(
            session,
            1,
            receipt,
            baseUrl,
            dueAt,
            Turn.Work.of(session, session.model(), !newSession.inputs().files().isEmpty()),
            newSession.keyId(),
            Ceilings.NONE);
    return new Creation(newSession, session, turn);
  }

  List<Write> writes(BeanProvider<StoredInputs> storedInputs, BeanProvider<Webhooks> webhooks) {
    List<Write> writes = new ArrayList<>();
    writes.add(SessionItem.put(session).put());
    writes.addAll(NewTurn.writes(turn, newSession.inputs().files()));
    writes.addAll(MessageWrites.of(turn, newSession.accepted(turn.receipt())));
    writes.addAll(SessionPointers.made(session));
    if (turn.work().hasStoredInputs()) {
      writes.add(storedInputs.get().put(session.key(), newSession.inputs()));
    }
    if (newSession.permissions() != null) {
      writes.add(PermissionsItem.keep(session.key(), newSession.permissions()));
    }
    SessionWebhook hook = newSession.hook();
    if (hook != null) {
      writes.add(
          webhooks
              .get()
              .ofSession(
                  session.key().workspace(),
                  session.id(),
                  hook.url(),
                  hook.secret(),
                  hook.baseUrl()));
    }
    return writes;
  }

  PendingEvents events() {
    return PendingEvents.of(session.key(), session.hasWebhook()).created(turn.firstStamp());
  }
}
