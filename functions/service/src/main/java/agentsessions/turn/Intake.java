package agentsessions.turn;

import agentsessions.rule.Ceiling;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.IdempotencyRecord;
import agentsessions.session.Message;
import agentsessions.session.NewSession;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.InputFile;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.message.CountedTurn;
import agentsessions.store.message.MessageCopies;
import agentsessions.store.session.SessionPointers;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.session.Turns;
import agentsessions.store.usage.SpendingLimitStore;
import agentsessions.store.webhook.WebhookPresence;
import agentsessions.store.webhook.Webhooks;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.Write;
import agentsessions.table.item.IdempotencyItem;
import agentsessions.table.item.InputFileItem;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import agentsessions.turn.idempotency.IdempotencyRecords;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The acceptance of a message, in one transaction with everything that belongs to it: no accepted
/// message is lost, and no repeated request is accepted twice.
@Singleton
public final class Intake {
  private static final long MILLISECOND = 1_000;

  private final Table table;
  private final Turns turns;
  private final Announcer announcer;
  private final WebhookPresence hearing;
  private final SpendingCheck spending;
  private final IdempotencyRecords replays;
  private final BeanProvider<StoredInputs> standing;
  private final BeanProvider<Webhooks> webhooks;
  private final Clock clock;
  private final Duration startGrace;
  private final int mostLiveTurns;

  public Intake(
      Table table,
      Turns turns,
      Announcer announcer,
      WebhookPresence hearing,
      SpendingCheck spending,
      BeanProvider<StoredInputs> standing,
      BeanProvider<Webhooks> webhooks,
      Clock clock,
      @Property(name = "start.grace.seconds", defaultValue = "30") int startGraceSeconds,
      @Property(name = "max.live.turns", defaultValue = "100") int mostLiveTurns) {
    this.table = table;
    this.turns = turns;
    this.announcer = announcer;
    this.hearing = hearing;
    this.spending = spending;
    this.standing = standing;
    this.webhooks = webhooks;
    this.replays = new IdempotencyRecords(table, clock);
    this.clock = clock;
    this.startGrace = Duration.ofSeconds(startGraceSeconds);
    this.mostLiveTurns = mostLiveTurns;
  }

  /// Creates a session with its first turn.
  public Acceptance create(
      Workspace workspace, NewSession opening, String baseUrl, @Nullable Idempotency idempotency) {
    Optional<Acceptance> refusal = refused(live(workspace));
    if (refusal.isPresent()) {
      return replays
          .find(workspace, idempotency)
          .map(kept -> IdempotencyRecords.answer(Optional.of(kept), idempotency))
          .orElseGet(refusal::get);
    }
    Stamp now = Stamp.of(clock.instant());
    SessionKey key = new SessionKey(workspace, new SessionId(UUID.randomUUID()));
    Receipt receipt = new Receipt(key.turn(TimeOrderedIds.turn(now)), now);
    Session session = Session.begun(receipt, opening);
    Turn turn =
        Turn.queued(
            session,
            1,
            receipt,
            baseUrl,
            due(),
            work(session, null, opening.inputs().files()),
            opening.keyId(),
            Ceilings.NONE);
    List<Write> writes = created(session, turn, opening, idempotency);
    return switch (announcer.write(writes, PendingEvents.of(key, session.hooked()).created(now))) {
      case Table.Outcome.Committed _ -> new Acceptance.Accepted(turn);
      case Table.Outcome.Refused refused ->
          IdempotencyRecords.answer(refused.old(0).map(IdempotencyItem::read), idempotency);
    };
  }

  private List<Write> created(
      Session session, Turn turn, NewSession opening, @Nullable Idempotency idempotency) {
    List<Write> writes = new ArrayList<>();
    if (idempotency != null) {
      writes.add(replays.keep(session.key().workspace(), idempotency, turn.receipt()));
    }
    writes.add(SessionItem.put(session).put());
    writes.addAll(accepted(turn, opening.message()));
    writes.addAll(SessionPointers.made(session));
    if (turn.work().stands()) {
      writes.add(standing.get().put(session.key(), opening.inputs()));
    }
    files(turn, opening.inputs().files()).ifPresent(writes::add);
    hook(session, opening).ifPresent(writes::add);
    return writes;
  }

  /// Accepts a follow-up and ends a live turn as interrupted, in the same transaction. Tries again
  /// if the session changed meanwhile.
  public Acceptance followUp(
      SessionKey key, FollowUp sent, String baseUrl, @Nullable Idempotency idempotency) {
    for (int tries = 0; ; tries++) {
      Seen seen = seen(key, idempotency);
      Optional<Acceptance> answer = answered(seen, sent, idempotency);
      if (answer.isPresent()) {
        return answer.get();
      }
      Session session = seen.session().orElseThrow();
      Turn next = next(session, sent, baseUrl);
      List<Write> writes = followUp(session, next, sent, idempotency);
      if (announcer.write(writes, interrupted(session, next.firstStamp())).committed()) {
        return new Acceptance.Accepted(next);
      }
      Retries.pause("follow-up", tries);
    }
  }

  /// The state that a follow-up is judged by, from one read.
  ///
  /// @param kept the stored response, if the same request was sent before
  private record Seen(
      Optional<IdempotencyRecord> kept, Optional<Session> session, SpendingLimits allowance) {}

  private Seen seen(SessionKey key, @Nullable Idempotency idempotency) {
    Workspace workspace = key.workspace();
    Layout.Key kept = Layout.idempotency(workspace, idempotency == null ? "" : idempotency.key());
    Layout.Key meta = Layout.meta(key);
    Layout.Key heard = Layout.hearing(workspace);
    Layout.Key allowance = Layout.allowance(workspace);
    Map<Layout.Key, Item> read =
        table.items(
            idempotency == null
                ? List.of(meta, heard, allowance)
                : List.of(meta, heard, allowance, kept));
    hearing.saw(workspace, read.containsKey(heard));
    return new Seen(
        replays.read(read.get(kept)),
        Sessions.visible(read.get(meta)),
        SpendingLimitStore.read(Optional.ofNullable(read.get(allowance))));
  }

  /// The response to a follow-up that is refused or was accepted before; empty if it is to be
  /// accepted now.
  private Optional<Acceptance> answered(
      Seen seen, FollowUp sent, @Nullable Idempotency idempotency) {
    if (seen.kept().isPresent()) {
      return Optional.of(IdempotencyRecords.answer(seen.kept(), idempotency));
    }
    return seen.session()
        .map(session -> refused(session, sent, seen.allowance()))
        .orElseGet(() -> Optional.of(new Acceptance.NoSession()));
  }

  private Optional<Acceptance> refused(Session session, FollowUp sent, SpendingLimits allowance) {
    if (sent.expected() != null && !sent.expected().equals(session.currentTurn())) {
      return Optional.of(new Acceptance.ThreadChanged(session.currentTurn()));
    }
    Workspace workspace = session.key().workspace();
    Session.Account account = session.account();
    Optional<Ceiling> reached =
        account
            .limits()
            .session()
            .reached(account.spent())
            .or(() -> spending.reached(workspace, allowance));
    if (reached.isPresent()) {
      return Optional.of(new Acceptance.BudgetReached(reached.get()));
    }
    return !session.working() && live(workspace).isFull()
        ? Optional.of(new Acceptance.TooManyTurns(mostLiveTurns))
        : Optional.empty();
  }

  private static PendingEvents interrupted(Session session, Stamp stamp) {
    PendingEvents news = PendingEvents.of(session.key(), session.hooked());
    return session.working()
        ? news.turn(session.currentTurn(), TurnStatus.INTERRUPTED, stamp)
        : news;
  }

  /// The state of a workspace's live turns.
  ///
  /// @param isFull whether the limit of live turns is reached; concurrent requests may exceed it a
  ///   little
  /// @param isLimited whether it may have spending limits
  private record Live(Workspace workspace, boolean isFull, boolean isLimited) {}

  /// The marks for webhooks and spending limits sort after the pointers of working sessions. With
  /// too many pointers they are not read, and both are assumed.
  private Live live(Workspace workspace) {
    List<Layout.Key> found = table.keys(Layout.workingPartition(workspace), mostLiveTurns + 2);
    boolean isCut = found.size() == mostLiveTurns + 2;
    boolean hears = found.contains(Layout.hearing(workspace));
    boolean isLimited = found.contains(Layout.allowance(workspace));
    hearing.saw(workspace, hears || isCut);
    int turns = found.size() - (hears ? 1 : 0) - (isLimited ? 1 : 0);
    return new Live(workspace, turns >= mostLiveTurns, isLimited || isCut);
  }

  private Optional<Acceptance> refused(Live live) {
    Optional<Ceiling> reached =
        live.isLimited() ? spending.reached(live.workspace()) : Optional.empty();
    return reached
        .<Acceptance>map(Acceptance.BudgetReached::new)
        .or(() ->
            live.isFull()
                ? Optional.of(new Acceptance.TooManyTurns(mostLiveTurns))
                : Optional.empty());
  }

  private List<Write> followUp(
      Session session, Turn next, FollowUp sent, @Nullable Idempotency idempotency) {
    List<Write> writes = new ArrayList<>(List.of(moved(session, next, sent).update()));
    if (session.working()) {
      writes.add(
          Interruption.of(session, clock.instant(), TurnStatus.INTERRUPTED, next.firstStamp())
              .set(TurnItem.SUPERSEDED_BY, next.id())
              .update());
    }
    writes.addAll(accepted(next, sent.message()));
    if (idempotency != null) {
      writes.add(replays.keep(session.key().workspace(), idempotency, next.receipt()));
    }
    if (session.archived()) {
      writes.addAll(SessionPointers.moved(session, false));
    }
    if (!sent.credentials().isEmpty()) {
      writes.add(standing.get().change(session.key(), sent.credentials()));
    }
    files(next, sent.files()).ifPresent(writes::add);
    return writes;
  }

  private static Change moved(Session session, Turn next, FollowUp sent) {
    Change moved =
        SessionItem.change(session.key())
            .set(SessionItem.CURRENT, next.id())
            .set(SessionItem.TURN_NUMBER, next.number())
            .set(SessionItem.WORKING, true)
            .set(SessionItem.ARCHIVED, false)
            .set(SessionItem.UPDATED, next.firstStamp())
            .when("#turn_seq = :seen AND #last_ts < :ts AND attribute_not_exists(#deleted)")
            .when("#archived = :archived")
            .with("archived", SessionItem.ARCHIVED, session.archived())
            .with("seen", SessionItem.TURN_NUMBER, session.turns().number())
            .with("ts", SessionItem.LAST, next.firstStamp());
    if (sent.model() != null) {
      moved.set(SessionItem.MODEL, sent.model());
    }
    if (session.working()) {
      moved.set(SessionItem.OUTCOME, TurnStatus.INTERRUPTED).remove(SessionItem.PREVIEW);
    }
    return moved;
  }

  private Optional<Write> hook(Session session, NewSession opening) {
    return Optional.ofNullable(opening.hook())
        .map(hook ->
            webhooks
                .get()
                .ofSession(
                    session.key().workspace(),
                    session.id(),
                    hook.url(),
                    hook.secret(),
                    hook.baseUrl()));
  }

  private static Turn.Work work(Session session, @Nullable String model, List<InputFile> files) {
    return Turn.Work.of(session, model == null ? session.model() : model, !files.isEmpty());
  }

  private static Optional<Write> files(Turn turn, List<InputFile> files) {
    return files.isEmpty()
        ? Optional.empty()
        : Optional.of(InputFileItem.put(turn.key(), files).put());
  }

  /// The writes of every accepted message: its turn, the message and its copy, the turn's message
  /// counters, and the pointer of a working session.
  private List<Write> accepted(Turn turn, String message) {
    List<Write> writes = new ArrayList<>();
    Message said = Message.ofUser(turn.receipt(), message);
    writes.add(TurnItem.put(turn).put());
    writes.addAll(MessageCopies.put(said, 0));
    writes.add(CountedTurn.begun(said));
    writes.add(
        Change.of(Layout.working(turn.key().session(), turn.stamps().sessionCreated()))
            .overwrite());
    return writes;
  }

  private Turn next(Session session, FollowUp sent, String baseUrl) {
    Optional<Turn> running = session.working() ? turns.load(session.current()) : Optional.empty();
    Stamp last =
        running
            .map(turn -> Interruption.lastStamp(session, turn))
            .orElse(session.turns().lastStamp())
            .plusMicros(MILLISECOND);
    Instant now = clock.instant();
    Stamp stamp = session.working() ? Interruption.stamp(last, now) : Stamp.after(last, now);
    Receipt receipt = new Receipt(session.key().turn(TimeOrderedIds.turn(stamp)), stamp);
    return Turn.queued(
        session,
        session.turns().number() + 1,
        receipt,
        baseUrl,
        due(),
        work(session, sent.model(), sent.files()),
        sent.keyId(),
        sent.limits());
  }

  /// The time from which the sweep looks at a turn that is accepted now.
  private Instant due() {
    return clock.instant().plus(startGrace);
  }
}
