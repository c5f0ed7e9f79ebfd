package agentsessions.turn;

import static agentsessions.turn.Guards.box;
import static agentsessions.turn.Guards.held;
import static agentsessions.turn.Guards.key;
import static agentsessions.turn.Guards.unclaimed;

import agentsessions.aws.Bucket;
import agentsessions.aws.Change;
import agentsessions.aws.Item;
import agentsessions.aws.Layout;
import agentsessions.aws.MessageItem;
import agentsessions.aws.Shards;
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

/// Who runs a turn and holds its sandbox: the claim that decides it, the lease that keeps it.
@Singleton
public final class Claims {
  private final Table table;
  private final Turns turns;
  private final Bucket bucket;
  private final Sandboxes sandboxes;
  private final Clock clock;
  private final Duration lease;

  public Claims(
      Table table,
      Turns turns,
      Bucket bucket,
      Sandboxes sandboxes,
      Clock clock,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds) {
    this.table = table;
    this.turns = turns;
    this.bucket = bucket;
    this.sandboxes = sandboxes;
    this.clock = clock;
    this.lease = Duration.ofSeconds(leaseSeconds);
  }

  /// A claim that was granted: the turn as it now is, what its user said, the object that holds the
  /// sandbox, where it is kept as one, and whether it lacks (`lost`) what the turn before made.
  public record Claimed(Turn turn, String message, Optional<String> snapshot, boolean lost) {}

  /// What a claim may come to.
  public sealed interface Claim {
    record Granted(Claimed claimed) implements Claim {}

    record SandboxBusy() implements Claim {}

    record NotLive() implements Claim {}
  }

  /// Gives a queued turn and its sandbox to the attempt with this fence; a turn that was begun is
  /// never begun again. The runner of an earlier turn that holds the sandbox is waited for while
  /// its lease lasts: it may be alive. A repeat of the same claim (`claimId`), whose answer was
  /// lost, is granted again.
  public Claim claim(
      Turn turn,
      String ticketHash,
      String claimId,
      long fence,
      String tokenHash,
      Duration timeLimit) {
    Claim claim = attempt(turn, ticketHash, claimId, fence, tokenHash, timeLimit);
    while (claim instanceof Claim.SandboxBusy && sandboxes.settle(turn.key().session())) {
      claim = attempt(turn, ticketHash, claimId, fence, tokenHash, timeLimit);
    }
    return claim;
  }

  private Claim attempt(
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
            .set("status", TurnStatus.RUNNING.name())
            .set("sandbox", sandboxes.atClaim().name())
            .set("fence", fence)
            .set("claim_id", claimId)
            .set("token_hash", tokenHash)
            .set("lease_until", leaseUntil)
            .set("due_at", dueAt(leaseUntil, deadline))
            .set("deadline", deadline)
            .initially("started_at", now)
            .when("#fence < :fence AND #ticket_hash = :ticket")
            .with("fence", fence)
            .with("ticket", ticketHash);
    Change box =
        Change.of(Layout.box(turn.key().session()))
            .set("holder", turn.id().toString())
            .set("fence", fence)
            .set("lease_until", leaseUntil)
            .set("LIVE", Shards.live(turn.id()))
            .set("due_at", leaseUntil)
            .when("attribute_not_exists(#holder)");
    return switch (table.write(List.of(running.update(), box.update()))) {
      case Table.Outcome.Committed _ -> granted(turn, fence);
      case Table.Outcome.Refused refused when refused.by().containsKey(0) ->
          refused.old(0).filter(seen -> claimedBefore(seen, claimId, fence)).isPresent()
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
    Instant deadline = turn.claimed().map(Turn.Claimed::deadline).orElse(until);
    boolean live =
        table
            .write(
                held(turn)
                    .set("lease_until", until)
                    .set("due_at", dueAt(until, deadline))
                    .update())
            .committed();
    table.write(box(turn).set("lease_until", until).set("due_at", until).update());
    return live;
  }

  /// Not live, if the turn was claimed again or removed before this claim could be answered.
  private Claim granted(Turn turn, long fence) {
    return turns
        .load(turn.key())
        .filter(now -> now.fence() == fence)
        .<Claim>flatMap(now -> message(now).map(text -> new Claim.Granted(claimed(now, text))))
        .orElseGet(Claim.NotLive::new);
  }

  private Claimed claimed(Turn turn, String message) {
    Optional<Item> box = table.item(Layout.box(turn.key().session()));
    return new Claimed(
        turn,
        message,
        box.flatMap(item -> Optional.ofNullable(item.nullableText("snapshot"))),
        box.filter(item -> item.flag("lost")).isPresent());
  }

  private Optional<String> message(Turn turn) {
    Layout.Key key = Layout.message(turn.key().session(), MessageKind.USER, turn.firstStamp());
    return table
        .item(key)
        .map(item -> MessageItem.read(item).text())
        .map(text ->
            switch (text) {
              case Message.Text.Inline inline -> inline.value();
              case Message.Text.Stored stored -> bucket.text(stored.objectKey());
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
