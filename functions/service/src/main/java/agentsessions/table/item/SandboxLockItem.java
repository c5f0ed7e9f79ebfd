package agentsessions.table.item;

import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.usage.Usage;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import java.time.Instant;
import java.util.Optional;

/// The item of the lock of a session's sandbox. A free lock has no holder, lease, upload or usage.
public final class SandboxLockItem {
  private static final Schema BOX = new Schema();
  public static final Attribute<TurnId> HOLDER = BOX.attribute("holder", Kept.TURN);
  public static final Attribute<Long> FENCE = BOX.attribute("fence", Kept.NUMBER);
  public static final Attribute<Instant> LEASE_UNTIL = BOX.attribute("lease_until", Kept.INSTANT);

  /// The key of the object that the sandbox is restored from.
  public static final Attribute<String> SNAPSHOT = BOX.attribute("snapshot", Kept.TEXT);

  /// The id of the multipart upload by which the holder is saving the sandbox.
  public static final Attribute<String> UPLOAD = BOX.attribute("upload", Kept.TEXT);

  /// Whether the changes of the last turn are missing.
  public static final Attribute<Boolean> LOST = BOX.attribute("lost", Kept.FLAG);

  /// The holder's usage at the last renewal of its lease.
  public static final Attribute<Usage> USAGE = BOX.attribute("usage", UsageMap.KEPT);

  /// The turn that is to be started when the lock is released.
  public static final Attribute<TurnId> NEXT = BOX.attribute("next", Kept.TURN);

  public static Change change(SessionKey session) {
    return BOX.change(Layout.box(session));
  }

  /// Empty if the lock is free.
  public static Optional<TurnKey> holder(SessionKey session, Item box) {
    return box.optional(HOLDER).map(session::turn);
  }

  public static Usage usage(Item box) {
    return box.get(USAGE, Usage.NONE);
  }

  private SandboxLockItem() {}
}
