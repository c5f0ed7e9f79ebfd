package agentsessions.table.item;

import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.usage.Usage;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import java.time.Instant;
import java.util.Optional;

/// The item of the lock of a session's sandbox. A free lock has no holder, lease or upload, and
/// usage only of the turn that has left it to be parked.
public final class SandboxLockItem {
  private static final Schema LOCK = new Schema();
  public static final Attribute<TurnId> HOLDER = LOCK.attribute("holder", AttributeFormat.TURN);
  public static final Attribute<Long> FENCE = LOCK.attribute("fence", AttributeFormat.NUMBER);
  public static final Attribute<Instant> LEASE_UNTIL =
      LOCK.attribute("lease_until", AttributeFormat.INSTANT);

  /// The key of the object that the sandbox is restored from.
  public static final Attribute<String> SNAPSHOT = LOCK.attribute("snapshot", AttributeFormat.TEXT);

  /// The id of the multipart upload by which the holder is saving the sandbox.
  public static final Attribute<String> UPLOAD = LOCK.attribute("upload", AttributeFormat.TEXT);

  /// Whether the changes of the last turn are missing.
  public static final Attribute<Boolean> LOST = LOCK.attribute("lost", AttributeFormat.FLAG);

  /// The turn that was parked and has not been claimed since: until it is, or is settled, its usage
  /// is in no sum, and stays here.
  public static final Attribute<TurnId> PARKED = LOCK.attribute("parked", AttributeFormat.TURN);

  /// The holder's usage at the last renewal of its lease, or that of the parked turn.
  public static final Attribute<Usage> USAGE = LOCK.attribute("usage", UsageMap.FORMAT);

  /// The turn that is to be started when the lock is released.
  public static final Attribute<TurnId> NEXT = LOCK.attribute("next", AttributeFormat.TURN);

  public static Change change(SessionKey key) {
    return LOCK.change(Layout.sandboxLock(key));
  }

  /// Empty if the lock is free.
  public static Optional<TurnKey> holder(SessionKey key, Item lock) {
    return lock.optional(HOLDER).map(key::turn);
  }

  /// The turn whose usage the lock has.
  public static Optional<TurnId> user(Item lock) {
    return lock.optional(HOLDER).or(() -> lock.optional(PARKED));
  }

  public static Usage usage(Item lock) {
    return lock.get(USAGE, Usage.NONE);
  }

  private SandboxLockItem() {}
}
