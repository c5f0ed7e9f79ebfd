package agentsessions.table.item;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attributes;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The item of a delivery and its attempts; `expires_at` (epoch seconds) is what the table's time
/// to live looks at.
public final class DeliveryItem {
  public static final String STATUS = "status";
  public static final String TRIES = "tries";
  public static final String ATTEMPTS = "attempts";
  public static final String BODY = "body";

  public static Delivery read(Item item) {
    Layout.Key key = Table.key(item.attributes());
    return new Delivery(
        webhook(key),
        key.event(),
        WebhookEventType.of(item.requiredText("type")).orElseThrow(),
        SessionId.parse(item.text("session", "")).orElse(null),
        item.requiredText(BODY),
        Delivery.Status.valueOf(item.requiredText(STATUS)),
        item.count(TRIES),
        item.has(ATTEMPTS)
            ? item.value(ATTEMPTS).l().stream().map(DeliveryItem::attempt).toList()
            : List.of(),
        item.has("due_at") ? Instant.ofEpochMilli(item.number("due_at")) : null,
        Instant.ofEpochMilli(item.number("created")));
  }

  public static AttributeValue attempts(List<Delivery.Attempt> attempts) {
    return AttributeValue.fromL(attempts.stream().map(DeliveryItem::of).toList());
  }

  private static WebhookId webhook(Layout.Key key) {
    return WebhookId.parse(key.pk().substring(key.pk().lastIndexOf('#') + 1)).orElseThrow();
  }

  private static AttributeValue of(Delivery.Attempt attempt) {
    Attributes attributes =
        new Attributes()
            .number("at", attempt.at().toEpochMilli())
            .number("ms", attempt.milliseconds())
            .text("error", attempt.error());
    @Nullable Integer code = attempt.statusCode();
    return (code == null ? attributes : attributes.number("code", code)).value();
  }

  private static Delivery.Attempt attempt(AttributeValue value) {
    Item item = new Item(value.m());
    return new Delivery.Attempt(
        Instant.ofEpochMilli(item.number("at")),
        item.has("code") ? item.count("code") : null,
        item.number("ms"),
        item.nullableText("error"));
  }

  private DeliveryItem() {}
}
