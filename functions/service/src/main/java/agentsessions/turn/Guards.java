package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Stamp;
import agentsessions.table.Change;
import agentsessions.table.Layout;

/// The conditions under which a turn may change, and the common part of every change of one kind.
///
/// Why: decision 002.
final class Guards {

  /// The turn has not ended, and all its messages lie before `before`.
  static Change live(Change change, Stamp before) {
    return live(change).when("#last_ts < :before").with("before", before);
  }

  static Change live(Change change) {
    return change
        .when("#status IN (:queued, :running)")
        .with("queued", TurnStatus.QUEUED.name())
        .with("running", TurnStatus.RUNNING.name());
  }

  /// No runner has begun the turn.
  static Change unclaimed(Change change) {
    return change.when("#status = :queued").with("queued", TurnStatus.QUEUED.name());
  }

  /// No runner has claimed this dispatch.
  static Change queued(Turn turn) {
    return unclaimed(Change.of(key(turn)))
        .when("#dispatch = :dispatch")
        .with("dispatch", turn.dispatch());
  }

  /// The turn is this runner's: there was no later claim, and it has not ended.
  static Change held(Turn turn) {
    return Change.of(key(turn))
        .when("#status = :running AND #fence = :fence")
        .with("running", TurnStatus.RUNNING.name())
        .with("fence", turn.fence());
  }

  /// The turn is exactly as it was read, its lease included.
  static Change asSeen(Turn turn) {
    Change change =
        Change.of(key(turn))
            .when("#status = :seen_status AND #fence = :seen_fence AND #dispatch = :seen_dispatch")
            .with("seen_status", turn.status().name())
            .with("seen_fence", turn.fence())
            .with("seen_dispatch", turn.dispatch());
    return turn.state() instanceof Turn.State.Running running
        ? change.when("#lease_until = :seen_lease").with("seen_lease", running.leaseUntil())
        : change.when("attribute_not_exists(#lease_until)");
  }

  /// The sandbox is this runner's, whether its turn has ended or not.
  static Change box(Turn turn) {
    return Change.of(Layout.box(turn.key().session()))
        .when("#holder = :turn AND #fence = :fence")
        .with("turn", turn.id().toString())
        .with("fence", turn.fence());
  }

  /// The turn has not been purged.
  static Change there(Turn turn) {
    return Change.of(key(turn)).when("attribute_exists(#PK)");
  }

  /// The turn has ended, in whatever way.
  static Change ended(Layout.Key turn) {
    return Change.of(turn)
        .when("#status IN (:completed, :failed, :timed_out, :interrupted, :cancelled)")
        .with("completed", TurnStatus.COMPLETED.name())
        .with("failed", TurnStatus.FAILED.name())
        .with("timed_out", TurnStatus.TIMED_OUT.name())
        .with("interrupted", TurnStatus.INTERRUPTED.name())
        .with("cancelled", TurnStatus.CANCELLED.name());
  }

  static Layout.Key key(Turn turn) {
    return Layout.turn(turn.key());
  }

  private Guards() {}
}
