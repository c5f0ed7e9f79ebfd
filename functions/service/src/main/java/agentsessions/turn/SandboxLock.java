package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.usage.Usage;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.UsageValues;
import java.util.Optional;

/// The lock of a session's sandbox: one holder, fenced by the number of its claim, as it was read
/// while a runner held it. `snapshot` is the object that the sandbox begins from, `upload` the one
/// that its runner has begun to save it as, `usage` the usage of its turn when the lease was
/// renewed last, `next` the turn that is to be started when it is let go.
record SandboxLock(
    TurnKey holder,
    long fence,
    long leaseUntil,
    Optional<String> snapshot,
    Optional<String> upload,
    Usage usage,
    Optional<TurnId> next) {
  private static final String NEXT = "next";

  /// The lock of an item; empty where it is free.
  static Optional<SandboxLock> of(SessionKey session, Item item) {
    return item.has("holder")
        ? Optional.of(
            new SandboxLock(
                session.turn(new TurnId(item.uuid("holder"))),
                item.number("fence"),
                item.number("lease_until"),
                Optional.ofNullable(item.nullableText("snapshot")),
                Optional.ofNullable(item.nullableText("upload")),
                UsageValues.read(item, "usage"),
                Optional.ofNullable(item.nullableText(NEXT)).flatMap(TurnId::parse)))
        : Optional.empty();
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
    upload.ifPresent(id -> change.when("#upload = :seen_upload").with("seen_upload", id));
    return change;
  }

  private Change held() {
    return sameHolder().when("#lease_until = :seen_lease").with("seen_lease", leaseUntil);
  }

  /// Names the turn that is to be started when it is let go, if that has not happened meanwhile.
  Change naming(TurnId turn) {
    return sameHolder().set(NEXT, turn.toString());
  }

  /// Part of the change that lets it go: no turn was named since it was read.
  Change withoutAnother(Change lettingGo) {
    return next.map(turn -> lettingGo.when("#next = :next").with("next", turn.toString()))
        .orElseGet(() -> lettingGo.when("attribute_not_exists(#next)"))
        .remove(NEXT);
  }

  private Change sameHolder() {
    return Change.of(Layout.box(holder.session()))
        .when("#holder = :turn AND #fence = :fence")
        .with("turn", holder.id().toString())
        .with("fence", fence);
  }
}
