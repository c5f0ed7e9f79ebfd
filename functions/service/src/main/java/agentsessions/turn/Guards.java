package agentsessions.turn;

import static agentsessions.table.item.TurnItem.DISPATCH;
import static agentsessions.table.item.TurnItem.FENCE;
import static agentsessions.table.item.TurnItem.HELD_MILLIS;
import static agentsessions.table.item.TurnItem.HELD_SINCE;
import static agentsessions.table.item.TurnItem.LAST;
import static agentsessions.table.item.TurnItem.LEASE_UNTIL;
import static agentsessions.table.item.TurnItem.PARKED;
import static agentsessions.table.item.TurnItem.REQUEST;
import static agentsessions.table.item.TurnItem.STATUS;

import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.table.Change;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.TurnItem;
import java.time.Instant;

/// The conditions under which a turn may change, and the common part of every change of one kind.
///
/// Why: decision 002.
final class Guards {

  /// The turn has not ended, and all its messages lie before `before`. It was not parked since it
  /// was read, and one that no runner had has none now: whoever ends that one settles it.
  static Change live(Turn turn, Stamp before) {
    Change live = turn.isPaused() ? paused(turn) : live(change(turn));
    return sinceParked(live, turn).when("#last_ts < :before").with("before", LAST, before);
  }

  private static Change live(Change change) {
    return change
        .when("#status IN (:queued, :running)")
        .with("queued", STATUS, TurnStatus.QUEUED)
        .with("running", STATUS, TurnStatus.RUNNING);
  }

  /// The turn is parked or queued again, as it was read.
  private static Change paused(Turn turn) {
    return change(turn).when("#status = :paused").with("paused", STATUS, turn.status());
  }

  private static Change sinceParked(Change change, Turn turn) {
    return turn.parked()
        .map(request -> change.when("#parked = :parked").with("parked", PARKED, request))
        .orElseGet(() -> change.when("attribute_not_exists(#parked)"));
  }

  /// The turn is parked.
  static Change parked(Turn turn) {
    return change(turn).when("#status = :parked").with("parked", STATUS, TurnStatus.PARKED);
  }

  /// No runner has begun the turn.
  static Change unclaimed(Change change) {
    return change.when("#status = :queued").with("queued", STATUS, TurnStatus.QUEUED);
  }

  /// No runner has claimed this dispatch.
  static Change queued(Turn turn) {
    return unclaimed(change(turn))
        .when("#dispatch = :dispatch")
        .with("dispatch", DISPATCH, turn.dispatch());
  }

  /// The turn is this runner's: there was no later claim, and it has not ended.
  static Change fenced(Turn turn) {
    return change(turn)
        .when("#status = :running AND #fence = :fence")
        .with("running", STATUS, TurnStatus.RUNNING)
        .with("fence", FENCE, turn.fence());
  }

  /// The turn is exactly as it was read, its lease included.
  static Change asSeen(Turn turn) {
    Change change =
        change(turn)
            .when("#status = :seen_status AND #fence = :seen_fence AND #dispatch = :seen_dispatch")
            .with("seen_status", STATUS, turn.status())
            .with("seen_fence", FENCE, turn.fence())
            .with("seen_dispatch", DISPATCH, turn.dispatch());
    return turn.state() instanceof Turn.State.Running running
        ? change
            .when("#lease_until = :seen_lease")
            .with("seen_lease", LEASE_UNTIL, running.leaseUntil())
        : change.when("attribute_not_exists(#lease_until)");
  }

  /// The turn waits for no decision any more. One that waits for none as it was read must not have
  /// begun to; of one that does, the request must still be pending: `RequestWrites.over`.
  static Change notHeld(Change change, Turn turn, Instant now) {
    if (turn.held().isEmpty()) {
      change.when("attribute_not_exists(#request)");
    }
    return turn.heldSince().isPresent()
        ? change.remove(REQUEST, HELD_SINCE).set(HELD_MILLIS, turn.heldMillis(now))
        : change;
  }

  /// The sandbox is this runner's, whether its turn has ended or not.
  static Change sandboxLock(Turn turn) {
    return sandboxLock(turn.key(), turn.fence());
  }

  static Change sandboxLock(TurnKey holder, long fence) {
    return SandboxLockItem.change(holder.sessionKey())
        .when("#holder = :turn AND #fence = :fence")
        .with("turn", SandboxLockItem.HOLDER, holder.id())
        .with("fence", SandboxLockItem.FENCE, fence);
  }

  /// The turn has not been purged.
  static Change there(Turn turn) {
    return change(turn).when("attribute_exists(#PK)");
  }

  /// The turn has ended, in whatever way.
  static Change ended(Turn turn) {
    return change(turn)
        .when("#status IN (:completed, :failed, :timed_out, :interrupted, :cancelled)")
        .with("completed", STATUS, TurnStatus.COMPLETED)
        .with("failed", STATUS, TurnStatus.FAILED)
        .with("timed_out", STATUS, TurnStatus.TIMED_OUT)
        .with("interrupted", STATUS, TurnStatus.INTERRUPTED)
        .with("cancelled", STATUS, TurnStatus.CANCELLED);
  }

  static Change change(Turn turn) {
    return TurnItem.change(turn.key());
  }

  private Guards() {}
}
