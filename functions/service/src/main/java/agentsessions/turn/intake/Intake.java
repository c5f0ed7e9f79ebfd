package agentsessions.turn.intake;

import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.IdempotencyRecord;
import agentsessions.session.NewSession;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.session.Turns;
import agentsessions.store.usage.SpendingLimitStore;
import agentsessions.store.webhook.Announcer;
import agentsessions.store.webhook.Webhooks;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.IdempotencyItem;
import agentsessions.turn.StartGrace;
import agentsessions.turn.TurnQueue;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The acceptance of a message, in one transaction with everything that belongs to it: no accepted
/// message is lost, and no repeated request is accepted twice.
@Singleton
public final class Intake {
  private final Table table;
  private final Turns turns;
  private final Announcer announcer;
  private final Admission admission;
  private final IdempotencyRecords idempotencyRecords;
  private final TurnQueue queue;
  private final BeanProvider<KeptUploads> keptUploads;
  private final BeanProvider<StoredInputs> storedInputs;
  private final BeanProvider<Webhooks> webhooks;
  private final Clock clock;
  private final StartGrace startGrace;

  public Intake(
      Table table,
      Turns turns,
      Announcer announcer,
      Admission admission,
      IdempotencyRecords idempotencyRecords,
      TurnQueue queue,
      BeanProvider<KeptUploads> keptUploads,
      BeanProvider<StoredInputs> storedInputs,
      BeanProvider<Webhooks> webhooks,
      Clock clock,
      StartGrace startGrace) {
    this.table = table;
    this.turns = turns;
    this.announcer = announcer;
    this.admission = admission;
    this.idempotencyRecords = idempotencyRecords;
    this.queue = queue;
    this.keptUploads = keptUploads;
    this.storedInputs = storedInputs;
    this.webhooks = webhooks;
    this.clock = clock;
    this.startGrace = startGrace;
  }

  /// Creates a session with its first turn.
  public Acceptance create(
      Workspace workspace,
      NewSession newSession,
      String baseUrl,
      @Nullable Idempotency idempotency) {
    Optional<Acceptance> refusal = admission.refused(workspace);
    if (refusal.isPresent()) {
      return idempotencyRecords
          .find(workspace, idempotency)
          .map(kept -> IdempotencyRecords.answer(Optional.of(kept), idempotency))
          .orElseGet(refusal::get);
    }
    Instant now = clock.instant();
    Creation creation = Creation.of(workspace, newSession, baseUrl, now, startGrace.dueAt(now));
    List<Write> writes = creation.writes(storedInputs, webhooks);
    int last = writes.size();
    keep(creation.turn(), idempotency, writes);
    return switch (announcer.write(writes, creation.events())) {
      case Table.Outcome.Committed _ -> new Acceptance.Accepted(creation.turn());
      case Table.Outcome.Refused refused ->
          IdempotencyRecords.answer(refused.old(last).map(IdempotencyItem::read), idempotency);
    };
  }

  /// Accepts a follow-up and ends a live turn as interrupted, in the same transaction, unless the
  /// follow-up is to wait. Tries again if the session changed meanwhile.
  public Acceptance followUp(
      SessionKey key, FollowUp sent, String baseUrl, @Nullable Idempotency idempotency) {
    FollowUp followUp = sent;
    for (int tries = 0; ; tries++) {
      Seen seen = seen(key, idempotency);
      Optional<Acceptance> answer = answered(seen, followUp, idempotency);
      if (answer.isPresent()) {
        return answer.get();
      }
      Session session = seen.session().orElseThrow();
      followUp = lasting(session, followUp);
      Instant now = clock.instant();
      Continuation continuation = continuation(session, followUp, baseUrl, now);
      Turn next = continuation.next();
      List<Write> writes = continuation.writes(storedInputs, now);
      keep(next, idempotency, writes);
      if (announcer.write(writes, continuation.events()).committed()) {
        if (next.waits() && !session.working()) {
          queue.next(key); // the turn before has ended already
        }
        return new Acceptance.Accepted(next);
      }
      Retries.pause("follow-up", tries);
    }
  }

  /// The same message with files that are there for as long as it may wait.
  private FollowUp lasting(Session session, FollowUp followUp) {
    return !followUp.files().isEmpty() && Admission.waits(session, followUp)
        ? keptUploads.get().of(session.key(), followUp)
        : followUp;
  }

  private Continuation continuation(
      Session session, FollowUp followUp, String baseUrl, Instant now) {
    Instant dueAt = startGrace.dueAt(now);
    if (Admission.waits(session, followUp)) {
      return QueuedFollowUp.of(session, followUp, baseUrl, now, dueAt);
    }
    Optional<Turn> running = session.working() ? turns.load(session.current()) : Optional.empty();
    return BegunFollowUp.of(session, running, followUp, baseUrl, now, dueAt);
  }

  /// Adds the write of the idempotency key, if there is one, as the last: a refusal is looked for
  /// at its place.
  private void keep(Turn turn, @Nullable Idempotency idempotency, List<Write> writes) {
    if (idempotency != null) {
      writes.add(
          idempotencyRecords.keep(
              turn.key().sessionKey().workspace(), idempotency, turn.receipt()));
    }
  }

  /// The state that a follow-up is judged by, from one read.
  ///
  /// @param kept the stored response, if the same request was sent before
  private record Seen(
      Optional<IdempotencyRecord> kept, Optional<Session> session, SpendingLimits spendingLimits) {}

  private Seen seen(SessionKey key, @Nullable Idempotency idempotency) {
    Workspace workspace = key.workspace();
    Layout.Key kept = Layout.idempotency(workspace, idempotency == null ? "" : idempotency.key());
    Layout.Key meta = Layout.meta(key);
    Layout.Key webhookMark = Layout.webhookMark(workspace);
    Layout.Key spendingLimits = Layout.spendingLimits(workspace);
    Map<Layout.Key, Item> read =
        table.items(
            idempotency == null
                ? List.of(meta, webhookMark, spendingLimits)
                : List.of(meta, webhookMark, spendingLimits, kept));
    announcer.remember(workspace, read.containsKey(webhookMark));
    return new Seen(
        idempotencyRecords.read(read.get(kept)),
        Sessions.visible(read.get(meta)),
        SpendingLimitStore.read(Optional.ofNullable(read.get(spendingLimits))));
  }

  /// The response to a follow-up that is refused or was accepted before; empty if it is to be
  /// accepted now.
  private Optional<Acceptance> answered(
      Seen seen, FollowUp followUp, @Nullable Idempotency idempotency) {
    if (seen.kept().isPresent()) {
      return Optional.of(IdempotencyRecords.answer(seen.kept(), idempotency));
    }
    return seen.session()
        .map(session -> admission.refused(session, followUp, seen.spendingLimits()))
        .orElseGet(() -> Optional.of(new Acceptance.NoSession()));
  }
}
