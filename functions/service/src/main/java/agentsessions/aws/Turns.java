package agentsessions.aws;

import agentsessions.session.Artifact;
import agentsessions.session.ArtifactId;
import agentsessions.session.Ending;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import agentsessions.session.TurnId;
import agentsessions.session.TurnStatus;
import agentsessions.session.Workspace;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// Turns in the table, and every transition that is not a client's: each is one transaction whose
/// conditions make a late, a lost or a doubled step harmless.
@Singleton
public final class Turns {
  /// Where texts move out of the item (an item ends at 400 KB).
  public static final int INLINE_BYTES = 300_000;

  private static final String LIVE = "#status IN (:queued, :running)";
  private static final String HELD = "#status = :running AND #fence = :fence";

  /// After its deadline a turn has this long to report, before the sweep ends it.
  private static final Duration LAST_WORDS = Duration.ofSeconds(30);

  /// How long a runner may take from its ticket to its claim; a Lambda may have to start first.
  private static final Duration HAND_OVER = Duration.ofSeconds(45);

  /// How long the loop that waits for a sandbox may be silent.
  private static final Duration WAITING = Duration.ofSeconds(15);

  private final Table table;
  private final Objects objects;
  private final Clock clock;
  private final Duration lease;
  private final Duration startGrace;

  Turns(
      Table table,
      Objects objects,
      Clock clock,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds,
      @Property(name = "start.grace.seconds", defaultValue = "30") int startGraceSeconds) {
    this.table = table;
    this.objects = objects;
    this.clock = clock;
    this.lease = Duration.ofSeconds(leaseSeconds);
    this.startGrace = Duration.ofSeconds(startGraceSeconds);
  }

  /// A claim that was granted: the turn as it now is, and what its user said.
  public record Claimed(Turn turn, String message) {}

  /// What a claim may come to.
  public sealed interface Claim {
    record Granted(Claimed claimed) implements Claim {}

    record SandboxBusy() implements Claim {}

    record NotLive() implements Claim {}
  }

  /// What the sweep found due: a turn to look at, or a deleted session to remove.
  public sealed interface Due {
    record OfTurn(Workspace workspace, SessionId session, TurnId turn) implements Due {}

    record OfSession(Workspace workspace, SessionId session) implements Due {}
  }

  public Optional<Turn> load(Workspace workspace, SessionId session, TurnId id) {
    return table
        .item(Layout.turn(workspace, session, id))
        .map(item -> Codec.turn(workspace, session, id, item));
  }

  /// The turns of a session in order of time, from `first` to `last`; at most `limit`.
  public List<Turn> list(
      Workspace workspace,
      SessionId session,
      String first,
      String last,
      boolean ascending,
      int limit) {
    return table
        .range(
            Layout.partition(workspace, session),
            Layout.TURNS + first,
            Layout.TURNS + last,
            ascending,
            limit)
        .stream()
        .map(item -> Codec.turn(workspace, session, id(item), item))
        .toList();
  }

  /// The turn that a token or ticket was given out for, where `hash` is what is kept of it under
  /// `attribute`.
  public Optional<Turn> byHash(
      Workspace workspace, SessionId session, TurnId id, String attribute, String hash) {
    return table
        .item(Layout.turn(workspace, session, id))
        .filter(item -> same(item.text(attribute, ""), hash))
        .map(item -> Codec.turn(workspace, session, id, item));
  }

  /// True while another turn's runner holds the session's sandbox.
  public boolean sandboxBusy(Turn turn) {
    return table
        .item(Layout.box(turn.workspace(), turn.sessionId()))
        .filter(
            box -> box.has("holder") && !box.requiredText("holder").equals(turn.id().toString()))
        .map(box -> box.number("lease_until") > clock.millis())
        .orElse(false);
  }

  /// Puts off the sweep while a dispatch waits for the sandbox. False if the turn moved on
  /// meanwhile.
  public boolean await(Turn turn) {
    return table.write(List.of(queued(turn, WAITING).update())).committed();
  }

  /// Puts off the sweep while the turn is handed to a runner, which will have to know the ticket.
  /// False if the turn moved on meanwhile.
  public boolean handOver(Turn turn, String ticketHash) {
    Change change =
        queued(turn, patience(HAND_OVER, turn)).set("ticket_hash", Item.text(ticketHash));
    return table.write(List.of(change.update())).committed();
  }

  /// Has the sweep look at a turn at once that was handed over in vain.
  public boolean handBack(Turn turn) {
    return table.write(List.of(queued(turn, Duration.ZERO).update())).committed();
  }

  /// Gives the turn and its sandbox to the attempt with this fence, if no higher one came before. A
  /// repeat of the same claim (`claimId`), whose answer was lost, is granted again.
  public Claim claim(
      Turn turn,
      String ticketHash,
      String claimId,
      long fence,
      String tokenHash,
      Duration timeLimit) {
    Instant now = clock.instant();
    Instant leaseUntil = now.plus(lease);
    Instant deadline = now.plus(timeLimit);
    Change running =
        Change.of(key(turn))
            .set("status", Item.text(TurnStatus.RUNNING.name()))
            .set("fence", Item.number(fence))
            .set("claim_id", Item.text(claimId))
            .set("token_hash", Item.text(tokenHash))
            .set("lease_until", Item.instant(leaseUntil))
            .set("due_at", Item.instant(dueAt(leaseUntil, deadline)))
            .set("deadline", Item.instant(deadline))
            .setIfAbsent("started_at", Item.instant(now))
            .when(LIVE + " AND #fence < :fence AND #ticket_hash = :ticket")
            .with("queued", Item.text(TurnStatus.QUEUED.name()))
            .with("running", Item.text(TurnStatus.RUNNING.name()))
            .with("fence", Item.number(fence))
            .with("ticket", Item.text(ticketHash));
    Change box =
        Change.of(Layout.box(turn.workspace(), turn.sessionId()))
            .set("holder", Item.text(turn.id().toString()))
            .set("fence", Item.number(fence))
            .set("lease_until", Item.instant(leaseUntil))
            .when("(attribute_not_exists(#holder) OR #lease_until < :now OR #holder = :turn)")
            .with("now", Item.instant(now))
            .with("turn", Item.text(turn.id().toString()));
    return switch (table.write(List.of(running.update(), box.update()))) {
      case Table.Outcome.Committed _ -> granted(turn);
      case Table.Outcome.Refused refused when refused.old(0).isPresent() ->
          claimedBefore(refused.old(0).get(), claimId, fence) ? granted(turn) : new Claim.NotLive();
      case Table.Outcome.Refused _ -> new Claim.SandboxBusy();
    };
  }

  /// Renews the lease of the turn and of its sandbox: two writes, because the runner of an ended
  /// turn still holds the sandbox until it has let go. False when the turn is no longer this
  /// runner's.
  public boolean renew(Turn turn) {
    Instant until = clock.instant().plus(lease);
    Instant deadline = turn.deadline() == null ? until : turn.deadline();
    boolean live =
        table
            .write(
                List.of(
                    held(Change.of(key(turn)), turn)
                        .set("lease_until", Item.instant(until))
                        .set("due_at", Item.instant(dueAt(until, deadline)))
                        .update()))
            .committed();
    table.write(List.of(box(turn).set("lease_until", Item.instant(until)).update()));
    return live;
  }

  /// Lets the next turn have the sandbox.
  public void release(Turn turn) {
    table.write(List.of(box(turn).remove("holder", "lease_until").update()));
  }

  /// Appends what the agent said and did. `from` is how many events came before; a batch that is
  /// there already is not written again. The number of events then recorded, or empty when the turn
  /// is no longer this runner's.
  public Optional<Integer> append(Turn turn, int from, List<Event> events) {
    if (!turn.live()) {
      return Optional.empty();
    }
    if (turn.events() != from || events.isEmpty()) {
      return Optional.of(turn.events());
    }
    List<TransactWriteItem> writes = new ArrayList<>();
    Stamp stamp = turn.lastStamp();
    int progress = turn.progress();
    int toolCalls = turn.toolCalls();
    for (Event event : events) {
      stamp = Stamp.after(stamp, clock.instant());
      boolean call = event.kind() == MessageKind.TOOL_CALL;
      Message message =
          new Message(
              turn.sessionId(),
              turn.id(),
              event.kind(),
              stamp,
              from + writes.size(),
              new Message.Text.Inline(event.text()),
              null);
      writes.add(
          Codec.put(turn.workspace(), message)
              .set("m", Item.number(call ? toolCalls++ : progress++))
              .put());
    }
    writes.add(
        held(Change.of(key(turn)), turn)
            .set("events", Item.number(from + events.size()))
            .set("progress", Item.number(progress))
            .set("tool_calls", Item.number(toolCalls))
            .set("last_ts", Item.stamp(stamp))
            .when("#events = :from")
            .with("from", Item.number(from))
            .update());
    return table.write(writes).committed()
        ? Optional.of(from + events.size())
        : load(turn.workspace(), turn.sessionId(), turn.id())
            .filter(now -> now.live() && now.fence() == turn.fence())
            .map(Turn::events);
  }

  /// An assistant message or tool call as the runner reports it.
  public record Event(MessageKind kind, String text) {}

  /// Ends a turn as its runner reports it. False when the turn is no longer this runner's.
  public boolean end(Turn turn, Ending ending) {
    return end(turn, ending, held(Change.of(key(turn)), turn));
  }

  /// Ends a turn from outside, if it is still exactly as it was read: a live lease is never
  /// touched.
  public boolean endAsSeen(Turn turn, Ending ending) {
    return end(turn, ending, asSeen(turn));
  }

  /// Gives a turn that nobody claimed another dispatch, if it is still as it was read.
  public boolean redispatch(Turn turn) {
    return table
        .write(
            List.of(
                asSeen(turn)
                    .set("dispatch", Item.number(turn.dispatch() + 1))
                    .set("due_at", Item.instant(clock.instant().plus(patience(startGrace, turn))))
                    .update()))
        .committed();
  }

  /// What is due in one of the index's partitions.
  public List<Due> due(int shard, int limit) {
    return table.due("LIVE#" + shard, clock.millis(), limit).stream().map(Turns::due).toList();
  }

  private boolean end(Turn turn, Ending ending, Change guarded) {
    Instant now = clock.instant();
    Stamp stamp = Stamp.after(turn.lastStamp(), now);
    guarded
        .set("status", Item.text(ending.status().name()))
        .set("ended_at", Item.instant(now))
        .set("last_ts", Item.stamp(stamp))
        .remove("LIVE", "due_at")
        .when("#last_ts < :ts")
        .with("ts", Item.stamp(stamp));
    if (ending.error() != null) {
      guarded.set("error", Codec.error(ending.error()));
    }
    List<TransactWriteItem> writes = new ArrayList<>();
    writes.add(guarded.update());
    writes.add(
        Change.of(Layout.meta(turn.workspace(), turn.sessionId()))
            .set("working", Item.flag(false))
            .set("last_ts", Item.stamp(stamp))
            .set("updated", Item.stamp(stamp))
            .when("#current = :turn")
            .with("turn", Item.text(turn.id().toString()))
            .update());
    writes.add(Codec.put(turn.workspace(), closing(turn, ending, stamp)).put());
    writes.add(
        Change.of(Layout.working(turn.workspace(), turn.sessionCreated(), turn.sessionId()))
            .delete());
    ending.artifacts().forEach(artifact -> writes.add(Codec.put(turn.workspace(), artifact).put()));
    plans(turn, ending.artifacts()).ifPresent(writes::add);
    return table.write(writes).committed();
  }

  private Message closing(Turn turn, Ending ending, Stamp stamp) {
    Message.Text text = new Message.Text.Inline(ending.text());
    if (ending.text().getBytes(StandardCharsets.UTF_8).length > INLINE_BYTES) {
      String object = "texts/%s/%s/%d".formatted(turn.sessionId(), turn.id(), turn.fence());
      objects.putText(object, ending.text());
      text = new Message.Text.Stored(object);
    }
    return new Message(
        turn.sessionId(), turn.id(), MessageKind.FINAL, stamp, 0, text, ending.status());
  }

  /// The pointers to the latest iteration of each plan; only an ending writes them, and only one
  /// turn can be ending.
  private Optional<TransactWriteItem> plans(Turn turn, List<Artifact> artifacts) {
    if (artifacts.stream().allMatch(artifact -> artifact.planId() == null)) {
      return Optional.empty();
    }
    Plans known = plans(turn.workspace(), turn.sessionId());
    return Optional.of(
        Change.of(Layout.plans(turn.workspace(), turn.sessionId()))
            .set("plans", Item.binary(known.with(artifacts).bytes()))
            .overwrite());
  }

  public Plans plans(Workspace workspace, SessionId session) {
    return table
        .item(Layout.plans(workspace, session))
        .map(item -> Plans.read(item.binary("plans")))
        .orElse(Plans.NONE);
  }

  /// Ids for `count` artifacts of a turn, in the order in which they are to be listed.
  public List<ArtifactId> artifactIds(int count) {
    Stamp now = Stamp.of(clock.instant());
    List<ArtifactId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(TimeOrdered.artifact(now.plusMicros(i * 1_000L)));
    }
    return ids;
  }

  private Claim granted(Turn turn) {
    Turn now =
        load(turn.workspace(), turn.sessionId(), turn.id())
            .orElseThrow(() -> new IllegalStateException("a claimed turn is gone"));
    Message message =
        table
            .item(
                Layout.message(
                    turn.workspace(), turn.sessionId(), MessageKind.USER, turn.firstStamp()))
            .map(item -> Codec.message(turn.sessionId(), item))
            .orElseThrow(() -> new IllegalStateException("a turn without its message"));
    String text =
        switch (message.text()) {
          case Message.Text.Inline inline -> inline.value();
          case Message.Text.Stored stored -> objects.text(stored.objectKey());
        };
    return new Claim.Granted(new Claimed(now, text));
  }

  private static boolean claimedBefore(Item turn, String claimId, long fence) {
    return turn.text("claim_id", "").equals(claimId)
        && turn.number("fence") == fence
        && turn.requiredText("status").equals(TurnStatus.RUNNING.name());
  }

  private Change held(Change change, Turn turn) {
    return change
        .when(HELD)
        .with("running", Item.text(TurnStatus.RUNNING.name()))
        .with("fence", Item.number(turn.fence()));
  }

  private Change asSeen(Turn turn) {
    Change change =
        Change.of(key(turn))
            .when("#status = :seen_status AND #fence = :seen_fence AND #dispatch = :seen_dispatch")
            .with("seen_status", Item.text(turn.status().name()))
            .with("seen_fence", Item.number(turn.fence()))
            .with("seen_dispatch", Item.number(turn.dispatch()));
    return turn.leaseUntil() == null
        ? change.when("attribute_not_exists(#lease_until)")
        : change
            .when("#lease_until = :seen_lease")
            .with("seen_lease", Item.instant(turn.leaseUntil()));
  }

  private static Change box(Turn turn) {
    return Change.of(Layout.box(turn.workspace(), turn.sessionId()))
        .when("#holder = :turn AND #fence = :fence")
        .with("turn", Item.text(turn.id().toString()))
        .with("fence", Item.number(turn.fence()));
  }

  private Change queued(Turn turn, Duration untilDue) {
    return Change.of(key(turn))
        .set("due_at", Item.instant(clock.instant().plus(untilDue)))
        .when("#status = :queued AND #dispatch = :dispatch")
        .with("queued", Item.text(TurnStatus.QUEUED.name()))
        .with("dispatch", Item.number(turn.dispatch()));
  }

  /// Twice as long for every dispatch before: where all is busy, starting more would make it worse.
  private static Duration patience(Duration first, Turn turn) {
    return first.multipliedBy(1L << (turn.dispatch() - 1));
  }

  private static Instant dueAt(Instant lease, Instant deadline) {
    Instant last = deadline.plus(LAST_WORDS);
    return lease.isBefore(last) ? lease : last;
  }

  private static Layout.Key key(Turn turn) {
    return Layout.turn(turn.workspace(), turn.sessionId(), turn.id());
  }

  private static TurnId id(Item item) {
    return TurnId.parse(item.requiredText("SK").substring(Layout.TURNS.length())).orElseThrow();
  }

  private static Due due(Item item) {
    Layout.Key key = Table.key(item.attributes());
    String[] parts = key.pk().split("#", -1);
    Workspace workspace = new Workspace(parts[1]);
    SessionId session = SessionId.parse(parts[3]).orElseThrow();
    return key.sk().equals(Layout.META)
        ? new Due.OfSession(workspace, session)
        : new Due.OfTurn(workspace, session, id(item));
  }

  private static boolean same(String kept, String given) {
    return MessageDigest.isEqual(
        kept.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.US_ASCII));
  }
}
