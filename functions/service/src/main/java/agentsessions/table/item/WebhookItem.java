package agentsessions.table.item;

import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The item of a webhook, with its sealed secrets and the lease of its sender.
public final class WebhookItem {
  public static final AttributeFormat<WebhookEventType> TYPE =
      AttributeFormat.TEXT.as(
          text -> WebhookEventType.of(text).orElseThrow(), WebhookEventType::text);

  private static final ItemSchema<Webhook> SCHEMA =
      new ItemSchema<>(
          webhook -> Layout.webhook(webhook.workspace(), webhook.id(), webhook.ofSession()),
          WebhookItem::webhook);
  public static final Attribute<String> URL =
      SCHEMA.part("url", AttributeFormat.TEXT, Webhook::url);

  /// The event types by name; a name that no longer exists is skipped when they are read.
  public static final Attribute<List<String>> TYPES =
      SCHEMA.part("types", AttributeFormat.NAMES, webhook -> texts(webhook.types()));

  private static final Attribute<Integer> EDITION =
      SCHEMA.part("edition", AttributeFormat.COUNT, Webhook::edition);
  public static final Attribute<String> DESCRIPTION =
      SCHEMA.part("description", AttributeFormat.TEXT, Webhook::description);
  public static final Attribute<Boolean> ENABLED =
      SCHEMA.part("enabled", AttributeFormat.FLAG, Webhook::enabled);
  public static final Attribute<String> DISABLED_REASON =
      SCHEMA.part("disabled_reason", AttributeFormat.TEXT, Webhook::disabledReason);
  private static final Attribute<String> BASE_URL =
      SCHEMA.part("base_url", AttributeFormat.TEXT, Webhook::baseUrl);
  private static final Attribute<Instant> CREATED =
      SCHEMA.part("created", AttributeFormat.INSTANT, Webhook::createdAt);
  public static final Attribute<Instant> LAST_SUCCESS =
      SCHEMA.part("last_success", AttributeFormat.INSTANT, Webhook::lastSuccessAt);
  public static final Attribute<Instant> FAILING_SINCE =
      SCHEMA.part(
          "failing_since",
          AttributeFormat.INSTANT,
          webhook -> webhook.failing() == null ? null : webhook.failing().since());
  public static final Attribute<Integer> FAILURES =
      SCHEMA.part(
          "failures",
          AttributeFormat.COUNT,
          webhook -> webhook.failing() == null ? null : webhook.failing().times());

  public static final Attribute<ByteBuffer> SECRET =
      SCHEMA.attribute("secret", AttributeFormat.BYTES);
  public static final Attribute<ByteBuffer> OLD_SECRET =
      SCHEMA.attribute("old_secret", AttributeFormat.BYTES);
  public static final Attribute<Instant> OLD_UNTIL =
      SCHEMA.attribute("old_until", AttributeFormat.INSTANT);

  /// The number of times that its secret was replaced.
  public static final Attribute<Long> ROTATIONS =
      SCHEMA.attribute("rotations", AttributeFormat.NUMBER);

  /// The times at which the client last changed the webhook and last enabled it.
  public static final Attribute<Instant> CHANGED =
      SCHEMA.attribute("changed", AttributeFormat.INSTANT);

  public static final Attribute<Instant> ENABLED_AT =
      SCHEMA.attribute("enabled_at", AttributeFormat.INSTANT);

  /// The id and the end of the lease of the process that sends its deliveries.
  public static final Attribute<String> HOLDER = SCHEMA.attribute("holder", AttributeFormat.TEXT);

  public static final Attribute<Instant> LEASE_UNTIL =
      SCHEMA.attribute("lease_until", AttributeFormat.INSTANT);

  /// A random value, new with each request to send. A sender that gives up its lease compares it,
  /// so that no request is lost.
  public static final Attribute<String> WOKEN = SCHEMA.attribute("woken", AttributeFormat.TEXT);

  public static Webhook read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Webhook webhook) {
    return SCHEMA.put(webhook);
  }

  public static Change change(Workspace workspace, WebhookId id, boolean ofSession) {
    return SCHEMA.change(Layout.webhook(workspace, id, ofSession));
  }

  public static List<String> texts(List<WebhookEventType> types) {
    return types.stream().map(WebhookEventType::text).toList();
  }

  private static Webhook webhook(Item item) {
    Layout.Key key = item.key();
    Instant since = item.find(FAILING_SINCE);
    return new Webhook(
        key.workspace(),
        key.webhook(),
        key.pk().endsWith("#OWN"),
        item.get(URL),
        item.get(TYPES, List.of()).stream()
            .map(WebhookEventType::of)
            .flatMap(Optional::stream)
            .toList(),
        item.get(EDITION, 1),
        item.find(DESCRIPTION),
        item.flag(ENABLED),
        item.find(DISABLED_REASON),
        item.get(BASE_URL),
        item.get(CREATED),
        item.find(LAST_SUCCESS),
        since == null ? null : new Webhook.Failing(since, item.get(FAILURES, 0)));
  }

  private WebhookItem() {}
}
