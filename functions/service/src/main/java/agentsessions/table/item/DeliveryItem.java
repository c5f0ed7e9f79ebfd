package agentsessions.table.item;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import java.time.Instant;
import java.util.List;

/// The item of a delivery and its attempts. DynamoDB removes it after `expires_at` (epoch seconds).
public final class DeliveryItem {
  private static final ItemSchema<Delivery.Attempt> ATTEMPT =
      new ItemSchema<>(DeliveryItem::attempt);
  private static final Attribute<Instant> AT =
      ATTEMPT.part("at", AttributeFormat.INSTANT, Delivery.Attempt::at);
  private static final Attribute<Integer> CODE =
      ATTEMPT.part("code", AttributeFormat.COUNT, Delivery.Attempt::statusCode);
  private static final Attribute<Long> MILLISECONDS =
      ATTEMPT.part("ms", AttributeFormat.NUMBER, Delivery.Attempt::milliseconds);
  private static final Attribute<String> ERROR =
      ATTEMPT.part("error", AttributeFormat.TEXT, Delivery.Attempt::error);

  private static final Schema DELIVERY = new Schema();
  public static final Attribute<WebhookEventType> TYPE =
      DELIVERY.attribute("type", WebhookItem.TYPE);
  public static final Attribute<SessionId> SESSION =
      DELIVERY.attribute("session", AttributeFormat.SESSION);
  public static final Attribute<String> BODY = DELIVERY.attribute("body", AttributeFormat.TEXT);
  public static final Attribute<Delivery.Status> STATUS =
      DELIVERY.attribute("status", AttributeFormat.name(Delivery.Status.class));
  public static final Attribute<Integer> TRIES = DELIVERY.attribute("tries", AttributeFormat.COUNT);
  public static final Attribute<List<Delivery.Attempt>> ATTEMPTS =
      DELIVERY.attribute("attempts", AttributeFormat.list(ATTEMPT.format()));
  public static final Attribute<Instant> CREATED =
      DELIVERY.attribute("created", AttributeFormat.INSTANT);

  public static Change change(Layout.Key key) {
    return DELIVERY.change(key);
  }

  public static Delivery read(Item item) {
    Layout.Key key = item.key();
    return new Delivery(
        webhook(key),
        key.event(),
        item.get(TYPE),
        item.find(SESSION),
        item.get(BODY),
        item.get(STATUS),
        item.get(TRIES, 0),
        item.get(ATTEMPTS, List.of()),
        item.find(Attribute.DUE_AT),
        item.get(CREATED));
  }

  private static WebhookId webhook(Layout.Key key) {
    return WebhookId.parse(key.pk().substring(key.pk().lastIndexOf('#') + 1)).orElseThrow();
  }

  private static Delivery.Attempt attempt(Item item) {
    return new Delivery.Attempt(
        item.get(AT), item.find(CODE), item.get(MILLISECONDS), item.find(ERROR));
  }

  private DeliveryItem() {}
}
