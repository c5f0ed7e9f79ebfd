package agentsessions.table.item;

import agentsessions.session.Idempotency;
import agentsessions.session.IdempotencyRecord;
import agentsessions.session.Receipt;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The item of the answer to an `Idempotency-Key`; `expires_at` (epoch seconds) is what the table's
/// time to live looks at.
public final class IdempotencyItem {
  private static final Attribute<IdempotencyRecord, String> BODY_HASH =
      new Attribute<>("body_hash", Kept.TEXT, kept -> kept.request().bodyHash());
  private static final Attribute<IdempotencyRecord, UUID> SESSION =
      new Attribute<>("session", Kept.ID, kept -> kept.receipt().turn().sessionId().value());
  private static final Attribute<IdempotencyRecord, UUID> TURN =
      new Attribute<>("turn", Kept.ID, kept -> kept.receipt().turn().id().value());
  private static final Attribute<IdempotencyRecord, Stamp> STAMP =
      new Attribute<>("ts", Kept.STAMP, kept -> kept.receipt().stamp());
  private static final Attribute<IdempotencyRecord, Long> EXPIRES_AT =
      new Attribute<>("expires_at", Kept.NUMBER, kept -> kept.expiresAt().getEpochSecond());

  private static final Kind<IdempotencyRecord> KIND =
      new Kind<>(
          IdempotencyRecord.class,
          kept -> Layout.idempotency(kept.workspace(), kept.request().key()),
          IdempotencyItem::kept,
          List.of(BODY_HASH, SESSION, TURN, STAMP, EXPIRES_AT));

  public static IdempotencyRecord read(Item item) {
    return KIND.read(item);
  }

  public static Change put(IdempotencyRecord kept) {
    return KIND.put(kept);
  }

  private static IdempotencyRecord kept(Layout.Key key, Parts parts) {
    return new IdempotencyRecord(
        key.workspace(),
        new Idempotency(key.idempotency(), parts.get(BODY_HASH)),
        receipt(key.workspace(), parts),
        Instant.ofEpochSecond(parts.get(EXPIRES_AT)));
  }

  private static Receipt receipt(Workspace workspace, Parts parts) {
    SessionKey session = new SessionKey(workspace, new SessionId(parts.get(SESSION)));
    return new Receipt(session.turn(new TurnId(parts.get(TURN))), parts.get(STAMP));
  }

  private IdempotencyItem() {}
}
