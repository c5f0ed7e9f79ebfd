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
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;

/// The item of the response to an `Idempotency-Key`. DynamoDB removes it after `expires_at` (epoch
/// seconds).
public final class IdempotencyItem {
  private static final ItemSchema<IdempotencyRecord> SCHEMA =
      new ItemSchema<>(
              kept -> Layout.idempotency(kept.workspace(), kept.request().key()),
              IdempotencyItem::kept)
          .also(Attribute.EXPIRES_AT, IdempotencyRecord::expiresAt);
  private static final Attribute<String> BODY_HASH =
      SCHEMA.part("body_hash", AttributeFormat.TEXT, kept -> kept.request().bodyHash());
  private static final Attribute<SessionId> SESSION =
      SCHEMA.part("session", AttributeFormat.SESSION, kept -> kept.receipt().turn().sessionId());
  private static final Attribute<TurnId> TURN =
      SCHEMA.part("turn", AttributeFormat.TURN, kept -> kept.receipt().turn().id());
  private static final Attribute<Stamp> STAMP =
      SCHEMA.part("ts", AttributeFormat.STAMP, kept -> kept.receipt().stamp());

  public static IdempotencyRecord read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(IdempotencyRecord kept) {
    return SCHEMA.put(kept);
  }

  private static IdempotencyRecord kept(Item item) {
    Layout.Key key = item.key();
    return new IdempotencyRecord(
        key.workspace(),
        new Idempotency(key.idempotency(), item.get(BODY_HASH)),
        receipt(key.workspace(), item),
        item.get(Attribute.EXPIRES_AT));
  }

  private static Receipt receipt(Workspace workspace, Item item) {
    SessionKey key = new SessionKey(workspace, item.get(SESSION));
    return new Receipt(key.turn(item.get(TURN)), item.get(STAMP));
  }

  private IdempotencyItem() {}
}
