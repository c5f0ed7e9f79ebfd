package agentsessions.turn;

import static agentsessions.turn.Guards.box;
import static agentsessions.turn.Guards.held;
import static agentsessions.turn.Guards.key;
import static agentsessions.turn.Guards.unclaimed;

import agentsessions.aws.Change;
import agentsessions.aws.Codec;
import agentsessions.aws.Item;
import agentsessions.aws.Layout;
import agentsessions.aws.Objects;
import agentsessions.aws.Table;
import agentsessions.aws.Turns;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Who runs a turn and holds its sandbox: the claim that decides it, the lease that keeps it, the
/// release.
@Singleton
public final class Claims {
  private final Table table;
  private final Turns turns;
  private final Objects objects;
  private final Clock clock;
  private final Duration lease;

  public Claims(
      Table table,
      Turns turns,
      Objects objects,
      Clock clock,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds) {
    this.table = table;
    this.turns = turns;
    this.objects = objects;
    this.clock = clock;
    this.lease = Duration.ofSeconds(leaseSeconds);
  }

  /// A claim that was granted: the turn as it now is, what its user said, and the object that holds
  /// the sandbox as the turn before left it, where it is kept as one.
  public record Claimed(Turn turn, String message, Optional<String> snapshot) {}

  /// What a claim may come to.
  public sealed interface Claim {
    record Granted(Claimed claimed) implements Claim {}

    record SandboxBusy() implements Claim {}

    record NotLive() implements Claim {}
  }

  /// Gives a queued turn and its sandbox to the attempt with this fence; a turn that was begun is
  /// never begun again. The runner of an earlier turn that holds the sandbox is waited for: it may
  /// be alive. A repeat of the same claim (`claimId`), whose answer was lost, is granted again.
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
        unclaimed(Change.of(key(turn)))
            .set("status", Item.text(TurnStatus.RUNNING.name()))
            .set("fence", Item.number(fence))
            .set("claim_id", Item.text(claimId))
            .set("token_hash", Item.text(tokenHash))
            .set("lease_until", Item.instant(leaseUntil))
            .set("due_at", Item.instant(dueAt(leaseUntil, deadline)))
            .set("deadline", Item.instant(deadline))
            .initially("started_at", Item.instant(now))
            .when("#fence < :fence AND #ticket_hash = :ticket")
            .with("fence", Item.number(fence))
            .with("ticket", Item.text(ticketHash));
    Change box =
        Change.of(Layout.box(turn.workspace(), turn.sessionId()))
            .set("holder", Item.text(turn.id().toString()))
            .set("fence", Item.number(fence))
            .set("lease_until", Item.instant(leaseUntil))
            .when("(attribute_not_exists(#holder) OR #lease_until < :now)")
            .with("now", Item.instant(now));
    return switch (table.write(List.of(running.update(), box.update()))) {
      case Table.Outcome.Committed _ -> granted(turn, fence);
      case Table.Outcome.Refused refused when refused.old(0).isPresent() ->
          claimedBefore(refused.old(0).get(), claimId, fence)
              ? granted(turn, fence)
              : new Claim.NotLive();
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
                    held(turn)
                        .set("lease_until", Item.instant(until))
                        .set("due_at", Item.instant(dueAt(until, deadline)))
                        .update()))
            .committed();
    table.write(List.of(box(turn).set("lease_until", Item.instant(until)).update()));
    return live;
  }

  /// Lets the next turn have the sandbox: as it was saved under `snapshot`, or as it was before
  /// where that is empty. The snapshot that is of no use any more, if there is one.
  public Optional<String> release(Turn turn, Optional<String> snapshot) {
    Optional<String> before = snapshot(turn);
    Change free = box(turn).remove("holder", "lease_until");
    snapshot.ifPresent(key -> free.set("snapshot", Item.text(key)));
    boolean freed = table.write(List.of(free.update())).committed();
    return freed && snapshot.isPresent()
        ? before.filter(key -> !key.equals(snapshot.get()))
        : Optional.empty();
  }

  private Optional<String> snapshot(Turn turn) {
    return table
        .item(Layout.box(turn.workspace(), turn.sessionId()))
        .flatMap(box -> Optional.ofNullable(box.nullableText("snapshot")));
  }

  /// Not live, if the turn was claimed again or removed before this claim could be answered.
  private Claim granted(Turn turn, long fence) {
    return turns
        .load(turn.workspace(), turn.sessionId(), turn.id())
        .filter(now -> now.fence() == fence)
        .<Claim>flatMap(now ->
            message(now).map(text -> new Claim.Granted(new Claimed(now, text, snapshot(turn)))))
        .orElseGet(Claim.NotLive::new);
  }

  private Optional<String> message(Turn turn) {
    Layout.Key key =
        Layout.message(turn.workspace(), turn.sessionId(), MessageKind.USER, turn.firstStamp());
    return table
        .item(key)
        .map(item -> Codec.message(turn.sessionId(), item).text())
        .map(text ->
            switch (text) {
              case Message.Text.Inline inline -> inline.value();
              case Message.Text.Stored stored -> objects.text(stored.objectKey());
            });
  }

  private static boolean claimedBefore(Item turn, String claimId, long fence) {
    return turn.text("claim_id", "").equals(claimId)
        && turn.number("fence") == fence
        && turn.requiredText("status").equals(TurnStatus.RUNNING.name());
  }

  private static Instant dueAt(Instant lease, Instant deadline) {
    Instant last = deadline.plus(Turn.LAST_WORDS);
    return lease.isBefore(last) ? lease : last;
  }
}
