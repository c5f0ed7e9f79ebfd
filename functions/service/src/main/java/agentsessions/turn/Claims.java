package agentsessions.turn;

import static agentsessions.turn.Guards.change;
import static agentsessions.turn.Guards.fenced;
import static agentsessions.turn.Guards.sandboxLock;
import static agentsessions.turn.Guards.unclaimed;

import agentsessions.aws.Bucket;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.session.repository.PushJob;
import agentsessions.session.usage.Usage;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.item.MessageItem;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.TurnItem;
import agentsessions.turn.budget.TurnBudget;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The claims and leases of turns. A claim gives a turn and its sandbox to one runner; the lease
/// keeps both for it as long as it is renewed.
///
/// Why: decision 004.
@Singleton
public final class Claims {
  private final Table table;
  private final Announcer announcer;
  private final Turns turns;
  private final Bucket bucket;
  private final Sandboxes sandboxes;
  private final Clock clock;
  private final Duration lease;

  public Claims(
      Table table,
      Announcer announcer,
      Turns turns,
      Bucket bucket,
      Sandboxes sandboxes,
      Clock clock,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds) {
    this.table = table;
    this.announcer = announcer;
    this.turns = turns;
    this.bucket = bucket;
    this.sandboxes = sandboxes;
    this.clock = clock;
    this.lease = Duration.ofSeconds(leaseSeconds);
  }

  /// A runner's request for the turn of its ticket.
  ///
  /// @param ticketHash the hash of that ticket, which must be the turn's last one
  /// @param claimId the same in a repeat of a claim whose response was lost
  /// @param fence the number of the attempt, higher than that of any claim before
  /// @param tokenHash the hash of the token that the runner gets for the turn
  /// @param timeLimit the longest time that the turn may run
  public record Request(
      String ticketHash, String claimId, long fence, String tokenHash, Duration timeLimit) {}

  /// The outcome of a claim.
  public sealed interface Outcome {
    /// The turn as it now is, its user's message, its budget, the key of the object that holds the
    /// sandbox (if it is stored as one), and whether the changes of the turn before are missing
    /// (`lost`).
    record Granted(
        Turn turn, String message, TurnBudget budget, Optional<String> snapshot, boolean lost)
        implements Outcome {}

    record SandboxBusy() implements Outcome {}

    record NotLive() implements Outcome {}
  }

  /// The state that a claim is judged by; empty if the ticket does not belong to its turn.
  public Optional<ClaimState> state(RunnerCredential ticket) {
    return ClaimState.of(table, ticket);
  }

  /// Gives a queued turn and its sandbox to the attempt with this fence. A turn that has begun is
  /// never begun again. While the runner of an earlier turn holds the sandbox and its lease lasts,
  /// the claim is refused as busy, since that runner may be alive. A repeat of the same claim
  /// (`claimId`), whose response was lost, is granted again.
  public Outcome claim(ClaimState state, Request request) {
    Outcome outcome = attempt(state, request);
    while (outcome instanceof Outcome.SandboxBusy
        && sandboxes.reclaim(state.turn().key().sessionKey())) {
      outcome = attempt(state, request);
    }
    return outcome;
  }

  private Outcome attempt(ClaimState state, Request request) {
    Turn turn = state.turn();
    long fence = request.fence();
    Turn.State.Running running = running(turn, request.timeLimit());
    Change claimed =
        claimed(turn, running)
            .set(TurnItem.FENCE, fence)
            .set(TurnItem.CLAIM_ID, request.claimId())
            .set(TurnItem.TOKEN_HASH, request.tokenHash())
            .when("#fence < :fence AND #ticket_hash = :ticket")
            .with("fence", TurnItem.FENCE, fence)
            .with("ticket", TurnItem.TICKET_HASH, request.ticketHash());
    Change lock = locked(turn, fence, running.leaseUntil());
    PendingEvents begun = begun(turn, clock.instant());
    return switch (announcer.write(List.of(claimed.update(), lock.update()), begun)) {
      case Table.Outcome.Committed _ ->
          granted(state, sandbox(state), turn.running(fence, running));
      case Table.Outcome.Refused refused when refused.by().containsKey(0) ->
          refused.old(0).filter(seen -> claimedBefore(seen, request.claimId(), fence)).isPresent()
              ? repeated(state, fence)
              : new Outcome.NotLive();
      case Table.Outcome.Refused _ -> new Outcome.SandboxBusy();
    };
  }

  /// Nobody is told of a job.
  private static PendingEvents begun(Turn turn, Instant now) {
    PendingEvents events = PendingEvents.of(turn.key().sessionKey(), turn.work().hasWebhook());
    return turn.isJob()
        ? events
        : events.turn(
            turn.id(),
            TurnStatus.RUNNING,
            turn.isPaused() ? Stamp.after(turn.lastStamp(), now) : turn.firstStamp().plusMicros(1));
  }

  private Turn.State.Running running(Turn turn, Duration timeLimit) {
    Instant now = clock.instant();
    Instant leaseUntil = now.plus(lease);
    boolean isShorter = turn.isJob() && PushJob.LONGEST.compareTo(timeLimit) < 0;
    Instant deadline =
        now.plus(isShorter ? PushJob.LONGEST : timeLimit).minusMillis(turn.activeMillis(now));
    Turn.Claimed claimed =
        new Turn.Claimed(
            turn.claimed().map(Turn.Claimed::startedAt).orElse(now),
            deadline,
            turn.heldMillis(now),
            turn.parked().orElse(null));
    return new Turn.State.Running(claimed, leaseUntil, dueAt(turn, leaseUntil, deadline), null);
  }

  private Change claimed(Turn turn, Turn.State.Running running) {
    Change unclaimed = unclaimed(change(turn));
    if (turn.isPaused()) {
      unclaimed
          .set(TurnItem.HELD_MILLIS, running.claimed().heldMillis())
          .remove(TurnItem.HELD_SINCE, TurnItem.QUEUED_AT);
    }
    return unclaimed
        .set(TurnItem.STATUS, TurnStatus.RUNNING)
        .set(TurnItem.SANDBOX, sandboxes.atClaim())
        .set(TurnItem.LEASE_UNTIL, running.leaseUntil())
        .set(Attribute.DUE_AT, running.dueAt())
        .set(TurnItem.DEADLINE, running.claimed().deadline())
        .initially(TurnItem.STARTED_AT, running.claimed().startedAt());
  }

  /// A turn that was parked goes on with its usage, which is kept there.
  private static Change locked(Turn turn, long fence, Instant leaseUntil) {
    Change locked =
        SandboxLockItem.change(turn.key().sessionKey())
            .set(SandboxLockItem.HOLDER, turn.id())
            .set(SandboxLockItem.FENCE, fence)
            .set(SandboxLockItem.LEASE_UNTIL, leaseUntil)
            .due(Shards.live(turn.id()), leaseUntil)
            .remove(SandboxLockItem.PARKED)
            .when("attribute_not_exists(#holder)");
    return turn.isPaused() ? locked : locked.remove(SandboxLockItem.USAGE);
  }

  /// Renews the lease of the turn and of its sandbox. These are two writes, because the runner of
  /// an ended turn still holds the sandbox until it releases it. False if the turn is no longer
  /// this runner's.
  ///
  /// @param reported the usage of the turn so far, if its runner reports it
  public boolean renew(Turn turn, Optional<Usage> reported) {
    Instant now = clock.instant();
    Instant until = now.plus(lease);
    Instant deadline = turn.deadline(now).orElse(until);
    Change ofTurn =
        fenced(turn)
            .set(TurnItem.LEASE_UNTIL, until)
            .set(Attribute.DUE_AT, dueAt(turn, until, deadline));
    Change ofLock =
        sandboxLock(turn).set(SandboxLockItem.LEASE_UNTIL, until).set(Attribute.DUE_AT, until);
    reported
        .map(usage -> turn.usage().then(usage.at(turn.activeMillis(now))))
        .ifPresent(usage -> {
          ofTurn.set(TurnItem.USAGE, usage);
          ofLock.set(SandboxLockItem.USAGE, usage);
        });
    boolean live = table.write(ofTurn.update()).committed();
    table.write(ofLock.update());
    return live;
  }

  /// Whether a renewal is the first in a new minute of the turn's run; only then is a heartbeat
  /// sent for its task.
  ///
  /// @param turn as it was read before the renewal
  public boolean isNewMinute(Turn turn) {
    return turn.state() instanceof Turn.State.Running running
        && minute(running, clock.instant()) > minute(running, running.leaseUntil().minus(lease));
  }

  private static long minute(Turn.State.Running running, Instant when) {
    return Duration.between(running.claimed().startedAt(), when).toMinutes();
  }

  /// The outcome of a repeated claim: not live if the turn was removed or parked meanwhile.
  private Outcome repeated(ClaimState state, long fence) {
    return turns
        .load(state.turn().key())
        .filter(now -> now.fence() == fence && !now.isPaused())
        .map(now -> granted(state, sandbox(now), now))
        .orElseGet(Outcome.NotLive::new);
  }

  private Outcome granted(ClaimState state, Optional<Item> lock, Turn claimed) {
    return message(state)
        .<Outcome>map(text -> granted(claimed, text, budget(state), lock))
        .orElseGet(Outcome.NotLive::new);
  }

  private static Outcome.Granted granted(
      Turn turn, String message, TurnBudget budget, Optional<Item> lock) {
    return new Outcome.Granted(
        turn,
        message,
        budget,
        lock.flatMap(item -> item.optional(SandboxLockItem.SNAPSHOT)),
        lock.filter(item -> item.flag(SandboxLockItem.LOST)).isPresent());
  }

  /// The budget as of the claim. The release of a sandbox settles the turn before, perhaps after
  /// the session was read, so a session with ceilings is read again; no other turn is settled while
  /// this one holds the sandbox.
  private TurnBudget budget(ClaimState state) {
    TurnBudget known = state.budget();
    if (!known.isOfSession()) {
      return known;
    }
    Layout.Key meta = Layout.meta(state.turn().key().sessionKey());
    Optional<Session> now = Sessions.visible(table.item(meta).orElse(null));
    return TurnBudget.of(state.turn(), now.or(state::session));
  }

  /// A sandbox that was free when it was read stays the same until the claim: only this turn, while
  /// it is live, may claim it. One that was held is read again.
  private Optional<Item> sandbox(ClaimState state) {
    return state.isHeld() ? sandbox(state.turn()) : state.lock();
  }

  private Optional<Item> sandbox(Turn turn) {
    return table.item(Layout.sandboxLock(turn.key().sessionKey()));
  }

  private Optional<String> message(ClaimState state) {
    Turn turn = state.turn();
    if (turn.work().job() != null) {
      return Optional.of(turn.work().job().subject());
    }
    Layout.Key key = Layout.message(turn.key().sessionKey(), MessageKind.USER, turn.firstStamp());
    return state
        .message()
        .or(() -> table.item(key))
        .map(item -> MessageItem.read(item).text())
        .map(text ->
            switch (text) {
              case Message.Text.Inline inline -> inline.value();
              case Message.Text.Stored stored -> bucket.text(stored.objectKey());
            });
  }

  private static boolean claimedBefore(Item turn, String claimId, long fence) {
    return claimId.equals(turn.find(TurnItem.CLAIM_ID))
        && turn.get(TurnItem.FENCE) == fence
        && turn.get(TurnItem.STATUS) == TurnStatus.RUNNING;
  }

  private static Instant dueAt(Turn turn, Instant lease, Instant deadline) {
    Instant last = deadline.plus(turn.reportGrace());
    return lease.isBefore(last) ? lease : last;
  }
}
