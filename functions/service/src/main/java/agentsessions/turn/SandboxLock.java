package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.usage.Usage;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.item.SandboxLockItem;
import java.time.Instant;
import java.util.Optional;

/// The held lock of a session's sandbox, as it was read: one holder, fenced by its claim number.
///
/// @param snapshot the key of the object that the sandbox is restored from
/// @param upload the id of the multipart upload by which the holder saves the sandbox
/// @param usage the holder's usage at the last renewal of its lease; before the first one, that at
///   its last parking
/// @param next the turn that is to be started when the lock is released
record SandboxLock(
    TurnKey holder,
    long fence,
    Instant leaseUntil,
    Optional<String> snapshot,
    Optional<String> upload,
    Usage usage,
    Optional<TurnId> next) {

  /// Reads the lock; empty if it is free.
  static Optional<SandboxLock> of(SessionKey key, Item item) {
    return SandboxLockItem.holder(key, item)
        .map(holder ->
            new SandboxLock(
                holder,
                item.get(SandboxLockItem.FENCE),
                item.get(SandboxLockItem.LEASE_UNTIL),
                item.optional(SandboxLockItem.SNAPSHOT),
                item.optional(SandboxLockItem.UPLOAD),
                SandboxLockItem.usage(item),
                item.optional(SandboxLockItem.NEXT)));
  }

  boolean isHeldBy(Turn turn) {
    return holder.equals(turn.key()) && fence == turn.fence();
  }

  /// The key of the object that the holder saves the sandbox as. Each fence has its own, so that a
  /// late save overwrites nothing.
  String key() {
    return key(holder, fence);
  }

  static String key(TurnKey holder, long fence) {
    return "sandboxes/%s/%s/%d".formatted(holder.sessionId(), holder.id(), fence);
  }

  /// Whether the holder's upload is complete and on record.
  boolean isSaved() {
    return snapshot.filter(key()::equals).isPresent();
  }

  /// A change of the lock on condition that holder and lease are as they were read and that nothing
  /// has been saved since.
  Change asSeen() {
    Change change = held();
    return snapshot
        .map(key ->
            change
                .when("#snapshot = :seen_snapshot")
                .with("seen_snapshot", SandboxLockItem.SNAPSHOT, key))
        .orElseGet(() -> change.when("attribute_not_exists(#snapshot)"));
  }

  private Change held() {
    return sameHolder()
        .when("#lease_until = :seen_lease")
        .with("seen_lease", SandboxLockItem.LEASE_UNTIL, leaseUntil);
  }

  /// A change that names the next turn, on condition that the lock was not released meanwhile.
  Change naming(TurnId turn) {
    return sameHolder().set(SandboxLockItem.NEXT, turn);
  }

  /// Makes a change of the lock its release, on condition that no other turn was named as the next
  /// one since the lock was read.
  Change release(Change lock) {
    return free(lock).remove(SandboxLockItem.USAGE);
  }

  /// The same where its holder is parked, and keeps there what it has used.
  Change park(Change lock, Usage used) {
    return free(lock).set(SandboxLockItem.PARKED, holder.id()).set(SandboxLockItem.USAGE, used);
  }

  private Change free(Change lock) {
    return next.map(turn -> lock.when("#next = :next").with("next", SandboxLockItem.NEXT, turn))
        .orElseGet(() -> lock.when("attribute_not_exists(#next)"))
        .remove(
            SandboxLockItem.HOLDER,
            SandboxLockItem.LEASE_UNTIL,
            SandboxLockItem.UPLOAD,
            SandboxLockItem.NEXT)
        .notDue();
  }

  private Change sameHolder() {
    return Guards.sandboxLock(holder, fence);
  }
}
