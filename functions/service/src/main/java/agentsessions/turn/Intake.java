package agentsessions.turn;

import agentsessions.aws.AnswerItem;
import agentsessions.aws.Change;
import agentsessions.aws.Item;
import agentsessions.aws.Layout;
import agentsessions.aws.MessageItem;
import agentsessions.aws.Retries;
import agentsessions.aws.SessionItem;
import agentsessions.aws.Sessions;
import agentsessions.aws.Table;
import agentsessions.aws.TimeOrdered;
import agentsessions.aws.TurnItem;
import agentsessions.aws.Turns;
import agentsessions.aws.Write;
import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.KeptAnswer;
import agentsessions.session.Message;
import agentsessions.session.Receipt;
import agentsessions.session.Session;
import agentsessions.session.SessionId;
import agentsessions.session.SessionKey;
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
import org.jspecify.annotations.Nullable;

/// How a message is accepted: in one transaction with everything that belongs to it, so that
/// nothing accepted is lost and no repeat is accepted twice.
@Singleton
public final class Intake {
  private static final long MILLISECOND = 1_000;

  private final Table table;
  private final Turns turns;
  private final Replays replays;
  private final Clock clock;
  private final Duration startGrace;
  private final int mostLiveTurns;

  public Intake(
      Table table,
      Turns turns,
      Clock clock,
      @Property(name = "start.grace.seconds", defaultValue = "30") int startGraceSeconds,
      @Property(name = "max.live.turns", defaultValue = "100") int mostLiveTurns) {
    this.table = table;
    this.turns = turns;
    this.replays = new Replays(table, turns, clock);
    this.clock = clock;
    this.startGrace = Duration.ofSeconds(startGraceSeconds);
    this.mostLiveTurns = mostLiveTurns;
  }

  /// A new session with its first turn.
  public Acceptance create(
      Workspace workspace,
      String agentName,
      String message,
      @Nullable String title,
      Map<String, String> metadata,
      String baseUrl,
      @Nullable Idempotency idempotency) {
    if (full(workspace)) {
      return replays
          .find(workspace, idempotency)
          .map(kept -> replays.created(workspace, Optional.of(kept), idempotency))
          .orElseGet(() -> new Acceptance.TooManyTurns(mostLiveTurns));
    }
    Stamp now = Stamp.of(clock.instant());
    SessionKey key = new SessionKey(workspace, new SessionId(UUID.randomUUID()));
    Receipt receipt = new Receipt(key.turn(TimeOrdered.turn(now)), now);
    Session session = Session.begun(receipt, agentName, title, metadata);
    Turn turn = Turn.queued(session, 1, receipt, baseUrl, due());
    List<Write> writes = new ArrayList<>();
    if (idempotency != null) {
      writes.add(replays.keep(workspace, idempotency, receipt));
    }
    writes.add(SessionItem.put(session).put());
    writes.addAll(accepted(turn, message));
    writes.add(Change.of(Layout.listed(key, now)).put());
    writes.add(Change.of(Layout.listedByAgent(key, agentName, now)).put());
    return switch (table.write(writes)) {
      case Table.Outcome.Committed _ -> new Acceptance.Accepted(turn);
      case Table.Outcome.Refused refused ->
          replays.created(workspace, refused.old(0).map(AnswerItem::read), idempotency);
    };
  }

  /// A follow-up; it ends a live turn as interrupted, in the same transaction. Tried again where
  /// the session moved meanwhile.
  public Acceptance followUp(
      SessionKey key,
      String message,
      @Nullable TurnId expected,
      String baseUrl,
      @Nullable Idempotency idempotency) {
    for (int tries = 0; ; tries++) {
      Layout.Key kept =
          Layout.idempotency(key.workspace(), idempotency == null ? "" : idempotency.key());
      Layout.Key meta = Layout.meta(key);
      Map<Layout.Key, Item> read =
          table.items(idempotency == null ? List.of(meta) : List.of(meta, kept));
      Optional<KeptAnswer> known = replays.read(read.get(kept));
      if (known.isPresent()) {
        return replays.followUp(key, known, idempotency);
      }
      Optional<Session> found = Sessions.visible(read.get(meta));
      if (found.isEmpty()) {
        return new Acceptance.NoSession();
      }
      Session session = found.get();
      if (expected != null && !expected.equals(session.currentTurn())) {
        return new Acceptance.ThreadChanged(session.currentTurn());
      }
      if (!session.working() && full(key.workspace())) {
        return new Acceptance.TooManyTurns(mostLiveTurns);
      }
      Turn next = next(session, baseUrl);
      if (table.write(followUp(session, next, message, idempotency)).committed()) {
        return new Acceptance.Accepted(next);
      }
      Retries.pause("follow-up", tries);
    }
  }

  /// Requests at the same time may pass the limit by a little.
  private boolean full(Workspace workspace) {
    return table.keys(Layout.workingPartition(workspace), mostLiveTurns).size() >= mostLiveTurns;
  }

  private List<Write> followUp(
      Session session, Turn next, String message, @Nullable Idempotency idempotency) {
    List<Write> writes = new ArrayList<>();
    writes.add(
        Change.of(Layout.meta(session.key()))
            .set("current", next.id().toString())
            .set("turn_seq", next.number())
            .set("working", true)
            .set("archived", false)
            .set("updated", next.firstStamp())
            .when("#turn_seq = :seen AND #last_ts < :ts AND attribute_not_exists(#deleted)")
            .with("seen", session.turnNumber())
            .with("ts", next.firstStamp())
            .update());
    if (session.working()) {
      writes.add(
          Interruption.of(session, clock.instant(), TurnStatus.INTERRUPTED, next.firstStamp())
              .set("superseded_by", next.id().toString())
              .update());
    }
    writes.addAll(accepted(next, message));
    if (idempotency != null) {
      writes.add(replays.keep(session.key().workspace(), idempotency, next.receipt()));
    }
    return writes;
  }

  /// The three items that every accepted message makes: its turn, the message itself, the pointer
  /// of a working session.
  private List<Write> accepted(Turn turn, String message) {
    return List.of(
        TurnItem.put(turn).put(),
        MessageItem.put(Message.ofUser(turn.receipt(), message)).put(),
        Change.of(Layout.working(turn.key().session(), turn.stamps().sessionCreated()))
            .overwrite());
  }

  private Turn next(Session session, String baseUrl) {
    Optional<Turn> running = session.working() ? turns.load(session.current()) : Optional.empty();
    Stamp last =
        running
            .map(turn -> Interruption.lastStamp(session, turn))
            .orElse(session.lastStamp())
            .plusMicros(MILLISECOND);
    Instant now = clock.instant();
    Stamp stamp = session.working() ? Interruption.stamp(last, now) : Stamp.after(last, now);
    Receipt receipt = new Receipt(session.key().turn(TimeOrdered.turn(stamp)), stamp);
    return Turn.queued(session, session.turnNumber() + 1, receipt, baseUrl, due());
  }

  /// When the sweep looks at a turn that is accepted now.
  private Instant due() {
    return clock.instant().plus(startGrace);
  }
}
