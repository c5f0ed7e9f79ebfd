package agentsessions.aws;

import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import agentsessions.session.TurnId;
import agentsessions.session.TurnStatus;
import agentsessions.session.Workspace;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// Sessions in the table, and the transactions by which a client changes one: create, follow-up,
/// cancel, change, delete.
@Singleton
public final class Sessions {
  /// A session with its plans, as one read finds them.
  public record Loaded(Session session, Plans plans) {}

  /// What a client may change of a session; an absent part stays as it is.
  public record Patch(
      Optional<Optional<String>> title,
      Optional<Map<String, String>> metadata,
      Optional<Boolean> archived) {}

  private static final Duration KEPT = Duration.ofHours(24);

  /// Lets a follow-up's stamp pass the events that a running turn may write before it is ended.
  private static final long AHEAD_MICROS = 50_000;

  private static final long MILLISECOND = 1_000;
  private static final String LIVE = "#status IN (:queued, :running)";

  private final Table table;
  private final Clock clock;
  private final Duration startGrace;

  Sessions(
      Table table,
      Clock clock,
      @Property(name = "start.grace.seconds", defaultValue = "30") int startGraceSeconds) {
    this.table = table;
    this.clock = clock;
    this.startGrace = Duration.ofSeconds(startGraceSeconds);
  }

  /// A new session with its first turn. `answer` makes the body that is given, and kept for a
  /// repeat of the request.
  public Acceptance create(
      Workspace workspace,
      String agentName,
      String message,
      @Nullable String title,
      Map<String, String> metadata,
      String baseUrl,
      @Nullable Idempotency idempotency,
      Function<Loaded, String> answer) {
    Stamp now = Stamp.of(clock.instant());
    TurnId first = TimeOrdered.turn(now);
    SessionId id = new SessionId(UUID.randomUUID());
    Session session =
        new Session(
            workspace, id, agentName, title, metadata, false, true, 1, first, first, now, now, now);
    Turn turn = Codec.queued(session, first, now, baseUrl);
    String body = answer.apply(new Loaded(session, Plans.NONE));
    List<TransactWriteItem> writes = new ArrayList<>();
    if (idempotency != null) {
      writes.add(keep(workspace, idempotency, body));
    }
    writes.add(Codec.put(session).put());
    writes.addAll(accepted(turn, message));
    writes.add(Change.of(Layout.listed(workspace, now, id)).put());
    writes.add(Change.of(Layout.listedByAgent(workspace, agentName, now, id)).put());
    return switch (table.write(writes)) {
      case Table.Outcome.Committed _ -> new Acceptance.Accepted(turn, body);
      case Table.Outcome.Refused refused -> repeated(refused.old(0), idempotency);
    };
  }

  /// A follow-up; it ends a live turn as interrupted, in the same transaction. Tried again where
  /// the session moved meanwhile. What is kept for a repeat is the new turn's id: the answer holds
  /// the message, which may be larger than an item.
  public Acceptance followUp(
      Workspace workspace,
      SessionId id,
      String message,
      @Nullable TurnId expected,
      String baseUrl,
      @Nullable Idempotency idempotency) {
    while (true) {
      Layout.Key kept = Layout.idempotency(workspace, idempotency == null ? "" : idempotency.key());
      Layout.Key meta = Layout.meta(workspace, id);
      Map<Layout.Key, Item> read =
          table.items(idempotency == null ? List.of(meta) : List.of(meta, kept));
      Optional<Item> known = Optional.ofNullable(read.get(kept)).filter(this::current);
      if (known.isPresent()) {
        return repeated(known, idempotency);
      }
      Optional<Session> found = visible(workspace, id, read.get(meta));
      if (found.isEmpty()) {
        return new Acceptance.NoSession();
      }
      Session session = found.get();
      if (expected != null && !expected.equals(session.currentTurn())) {
        return new Acceptance.ThreadChanged(session.currentTurn());
      }
      Turn next = next(session, baseUrl);
      if (table.write(followUp(session, next, message, idempotency)).committed()) {
        return new Acceptance.Accepted(next, next.id().toString());
      }
      Budget.check("follow-up");
    }
  }

  /// Ends the live turn without a successor; a session without one stays as it is. The current turn
  /// as it then is.
  public Optional<Turn> cancel(Workspace workspace, SessionId id) {
    while (true) {
      Optional<Session> found = load(workspace, id);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      Session session = found.get();
      Optional<Turn> turn = turn(session);
      if (turn.isEmpty()
          || !turn.get().live()
          || table.write(cancel(session, turn.get())).committed()) {
        return turn(session);
      }
      Budget.check("cancel");
    }
  }

  /// A session that was not deleted.
  public Optional<Session> load(Workspace workspace, SessionId id) {
    return visible(workspace, id, table.item(Layout.meta(workspace, id)).orElse(null));
  }

  public Optional<Loaded> loadWithPlans(Workspace workspace, SessionId id) {
    List<Item> items =
        table.range(Layout.partition(workspace, id), Layout.META, Layout.PLANS, true, 2);
    return items.stream()
        .filter(item -> item.requiredText("SK").equals(Layout.META))
        .findFirst()
        .flatMap(item -> visible(workspace, id, item))
        .map(session -> new Loaded(session, plans(items)));
  }

  /// Changes title, metadata or archiving; empty where there is no such session.
  public Optional<Loaded> change(Workspace workspace, SessionId id, Patch patch) {
    Change change =
        Change.of(Layout.meta(workspace, id))
            .when("attribute_exists(#PK) AND attribute_not_exists(#deleted)")
            .set("updated", Item.stamp(Stamp.of(clock.instant())));
    patch
        .title()
        .ifPresent(title ->
            title.ifPresentOrElse(
                text -> change.set("title", Item.text(text)), () -> change.remove("title")));
    patch.metadata().ifPresent(pairs -> change.set("metadata", Item.texts(pairs)));
    patch.archived().ifPresent(archived -> change.set("archived", Item.flag(archived)));
    return table.write(List.of(change.update())).committed()
        ? loadWithPlans(workspace, id)
        : Optional.empty();
  }

  /// Hides a session for ever and ends its turn; the sweep removes what is stored. True where there
  /// was one.
  public boolean delete(Workspace workspace, SessionId id) {
    while (true) {
      Optional<Session> found = load(workspace, id);
      if (found.isEmpty()) {
        return false;
      }
      Session session = found.get();
      if (table.write(delete(session)).committed()) {
        return true;
      }
      Budget.check("delete");
    }
  }

  private List<TransactWriteItem> followUp(
      Session session, Turn next, String message, @Nullable Idempotency idempotency) {
    List<TransactWriteItem> writes = new ArrayList<>();
    writes.add(
        Change.of(Layout.meta(session.workspace(), session.id()))
            .set("current", Item.text(next.id().toString()))
            .set("turn_seq", Item.number(next.number()))
            .set("working", Item.flag(true))
            .set("archived", Item.flag(false))
            .set("updated", Item.stamp(next.firstStamp()))
            .when("#turn_seq = :seen AND #last_ts < :ts AND attribute_not_exists(#deleted)")
            .with("seen", Item.number(session.turnNumber()))
            .with("ts", Item.stamp(next.firstStamp()))
            .update());
    if (session.working()) {
      writes.add(
          ended(session, TurnStatus.INTERRUPTED, next.firstStamp())
              .set("superseded_by", Item.text(next.id().toString()))
              .update());
    }
    writes.addAll(accepted(next, message));
    if (idempotency != null) {
      writes.add(keep(session.workspace(), idempotency, next.id().toString()));
    }
    return writes;
  }

  private List<TransactWriteItem> cancel(Session session, Turn turn) {
    Stamp stamp = Stamp.after(latest(session, turn), clock.instant()).plusMicros(AHEAD_MICROS);
    return List.of(
        idle(session, stamp).update(),
        ended(session, TurnStatus.CANCELLED, stamp).update(),
        Change.of(Layout.working(session.workspace(), session.createdAt(), session.id())).delete());
  }

  private List<TransactWriteItem> delete(Session session) {
    Stamp stamp = Stamp.of(clock.instant()).plusMicros(AHEAD_MICROS);
    List<TransactWriteItem> writes = new ArrayList<>();
    writes.add(
        Change.of(Layout.meta(session.workspace(), session.id()))
            .set("deleted", Item.flag(true))
            .set("working", Item.flag(false))
            .set("LIVE", Item.text(Layout.liveShard(session.id())))
            .set("due_at", Item.instant(clock.instant()))
            .when("#turn_seq = :seen AND #working = :working AND attribute_not_exists(#deleted)")
            .with("seen", Item.number(session.turnNumber()))
            .with("working", Item.flag(session.working()))
            .update());
    if (session.working()) {
      writes.add(ended(session, TurnStatus.CANCELLED, stamp).update());
    }
    writes.add(
        Change.of(Layout.working(session.workspace(), session.createdAt(), session.id())).delete());
    writes.add(
        Change.of(Layout.listed(session.workspace(), session.createdAt(), session.id())).delete());
    writes.add(
        Change.of(
                Layout.listedByAgent(
                    session.workspace(), session.agentName(), session.createdAt(), session.id()))
            .delete());
    return writes;
  }

  /// The session's current turn ends without having spoken; all its events lie before `stamp`.
  private Change ended(Session session, TurnStatus status, Stamp stamp) {
    return Change.of(Layout.turn(session.workspace(), session.id(), session.currentTurn()))
        .set("status", Item.text(status.name()))
        .set("ended_at", Item.instant(clock.instant()))
        .remove("LIVE", "due_at")
        .when(LIVE + " AND #last_ts < :ts")
        .with("queued", Item.text(TurnStatus.QUEUED.name()))
        .with("running", Item.text(TurnStatus.RUNNING.name()))
        .with("ts", Item.stamp(stamp));
  }

  private Change idle(Session session, Stamp stamp) {
    return Change.of(Layout.meta(session.workspace(), session.id()))
        .set("working", Item.flag(false))
        .set("last_ts", Item.stamp(stamp))
        .set("updated", Item.stamp(Stamp.of(clock.instant())))
        .when("#current = :current AND attribute_not_exists(#deleted)")
        .with("current", Item.text(session.currentTurn().toString()));
  }

  /// The three items that every accepted message makes: its turn, the message itself, the pointer
  /// of a working session.
  private List<TransactWriteItem> accepted(Turn turn, String message) {
    Message user =
        new Message(
            turn.sessionId(),
            turn.id(),
            MessageKind.USER,
            turn.firstStamp(),
            0,
            new Message.Text.Inline(message),
            null);
    return List.of(
        Codec.put(turn, clock.instant().plus(startGrace)).put(),
        Codec.put(turn.workspace(), user).put(),
        Change.of(Layout.working(turn.workspace(), turn.sessionCreated(), turn.sessionId()))
            .overwrite());
  }

  private Turn next(Session session, String baseUrl) {
    Optional<Turn> running = session.working() ? turn(session) : Optional.empty();
    Stamp last = running.map(turn -> latest(session, turn)).orElse(session.lastStamp());
    Instant now = clock.instant();
    Stamp stamp =
        Stamp.after(last.plusMicros(MILLISECOND), now)
            .plusMicros(session.working() ? AHEAD_MICROS : 0);
    Session ahead = numbered(session, session.turnNumber() + 1);
    return Codec.queued(ahead, TimeOrdered.turn(stamp), stamp, baseUrl);
  }

  private static Session numbered(Session session, long turnNumber) {
    return new Session(
        session.workspace(),
        session.id(),
        session.agentName(),
        session.title(),
        session.metadata(),
        session.archived(),
        session.working(),
        turnNumber,
        session.firstTurn(),
        session.currentTurn(),
        session.lastStamp(),
        session.createdAt(),
        session.updatedAt());
  }

  private static Stamp latest(Session session, Turn turn) {
    return turn.lastStamp().compareTo(session.lastStamp()) > 0
        ? turn.lastStamp()
        : session.lastStamp();
  }

  private Optional<Turn> turn(Session session) {
    TurnId id = session.currentTurn();
    return table
        .item(Layout.turn(session.workspace(), session.id(), id))
        .map(item -> Codec.turn(session.workspace(), session.id(), id, item));
  }

  private TransactWriteItem keep(Workspace workspace, Idempotency idempotency, String body) {
    Instant now = clock.instant();
    return Change.of(Layout.idempotency(workspace, idempotency.key()))
        .set("body_hash", Item.text(idempotency.bodyHash()))
        .set("answer", Item.text(body))
        .set("expires_at", Item.number(now.plus(KEPT).getEpochSecond()))
        .when("attribute_not_exists(#PK) OR #expires_at <= :now")
        .with("now", Item.number(now.getEpochSecond()))
        .put();
  }

  /// Time to live is housekeeping only: an expired record counts as absent.
  private boolean current(Item kept) {
    return kept.number("expires_at") > clock.instant().getEpochSecond();
  }

  private static Acceptance repeated(Optional<Item> kept, @Nullable Idempotency idempotency) {
    if (idempotency == null || kept.isEmpty()) {
      throw new IllegalStateException("a new id exists already");
    }
    return kept.get().requiredText("body_hash").equals(idempotency.bodyHash())
        ? new Acceptance.Replayed(kept.get().requiredText("answer"))
        : new Acceptance.KeyReused();
  }

  private static Optional<Session> visible(Workspace workspace, SessionId id, @Nullable Item meta) {
    return meta == null || meta.flag("deleted")
        ? Optional.empty()
        : Optional.of(Codec.session(workspace, id, meta));
  }

  private static Plans plans(List<Item> items) {
    return items.stream()
        .filter(item -> item.requiredText("SK").equals(Layout.PLANS))
        .findFirst()
        .map(item -> Plans.read(item.binary("plans")))
        .orElse(Plans.NONE);
  }
}
