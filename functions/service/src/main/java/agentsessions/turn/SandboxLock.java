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

/// The lock of a session's sandbox: one holder, fenced by the number of its claim, as it was read
/// while a runner held it. `snapshot` is the object that the sandbox begins from, `upload` the one
/// that its runner has begun to save it as, `usage` the usage of its turn when the lease was
/// renewed last, `next` the turn that is to be started when it is let go.
record SandboxLock(
    TurnKey holder,
    long fence,
    Instant leaseUntil,
    Optional<String> snapshot,
    Optional<String> upload,
    Usage usage,
    Optional<TurnId> next) {

  /// The lock of an item; empty where it is free.
  static Optional<SandboxLock> of(SessionKey session, Item item) {
    return SandboxLockItem.holder(session, item)
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

  /// The key of the object it is saved as: one for each fence, so that a late save overwrites
  /// nothing.
  String key() {
    return key(holder, fence);
  }

  static String key(TurnKey holder, long fence) {
    return "sandboxes/%s/%s/%d".formatted(holder.sessionId(), holder.id(), fence);
  }

  /// Whether its upload is complete and on record.
  boolean isSaved() {
    return snapshot.filter(key()::equals).isPresent();
  }

  /// A change of the lock, if it is still held as it was read, its lease included, and its upload
  /// has not been completed since.
  Change asSeen() {
    Change change = held();
    upload.ifPresent(id ->
        change.when("#upload = :seen_upload").with("seen_upload", SandboxLockItem.UPLOAD, id));
    return change;
  }

  private Change held() {
    return sameHolder()
        .when("#lease_until = :seen_lease")
        .with("seen_lease", SandboxLockItem.LEASE_UNTIL, leaseUntil);
  }

  /// Names the turn that is to be started when it is let go, if that has not happened meanwhile.
  Change naming(TurnId turn) {
    return sameHolder().set(SandboxLockItem.NEXT, turn);
  }

  /// Part of the change that lets it go: no turn was named since it was read.
  Change withoutAnother(Change lettingGo) {
    return next.map(
            turn -> lettingGo.when("#next = :next").with("next", SandboxLockItem.NEXT, turn))
        .orElseGet(() -> lettingGo.when("attribute_not_exists(#next)"))
        .remove(SandboxLockItem.NEXT);
  }

  private Change sameHolder() {
    return SandboxLockItem.change(holder.session())
        .when("#holder = :turn AND #fence = :fence")
        .with("turn", SandboxLockItem.HOLDER, holder.id())
        .with("fence", SandboxLockItem.FENCE, fence);
  }
}
