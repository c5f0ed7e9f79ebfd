package agentsessions.table.item;

import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The item of a webhook, with its sealed secrets and the lease of its sender.
public final class WebhookItem {
  public static final Kept<WebhookEventType> TYPE =
      Kept.TEXT.as(text -> WebhookEventType.of(text).orElseThrow(), WebhookEventType::text);

  private static final Kind<Webhook> KIND =
      new Kind<>(
          webhook -> Layout.webhook(webhook.workspace(), webhook.id(), webhook.ofSession()),
          WebhookItem::webhook);
  public static final Attribute<String> URL = KIND.part("url", Kept.TEXT, Webhook::url);

  /// The event types by name; a name that no longer exists is skipped when they are read.
  public static final Attribute<List<String>> TYPES =
      KIND.part("types", Kept.NAMES, webhook -> texts(webhook.types()));

  public static final Attribute<String> DESCRIPTION =
      KIND.part("description", Kept.TEXT, Webhook::description);
  public static final Attribute<Boolean> ENABLED =
      KIND.part("enabled", Kept.FLAG, Webhook::enabled);
  public static final Attribute<String> DISABLED_REASON =
      KIND.part("disabled_reason", Kept.TEXT, Webhook::disabledReason);
  private static final Attribute<String> BASE_URL =
      KIND.part("base_url", Kept.TEXT, Webhook::baseUrl);
  private static final Attribute<Instant> CREATED =
      KIND.part("created", Kept.INSTANT, Webhook::createdAt);
  public static final Attribute<Instant> LAST_SUCCESS =
      KIND.part("last_success", Kept.INSTANT, Webhook::lastSuccessAt);
  public static final Attribute<Instant> FAILING_SINCE =
      KIND.part(
          "failing_since",
          Kept.INSTANT,
          webhook -> webhook.failing() == null ? null : webhook.failing().since());
  public static final Attribute<Integer> FAILURES =
      KIND.part(
          "failures",
          Kept.COUNT,
          webhook -> webhook.failing() == null ? null : webhook.failing().times());

  public static final Attribute<ByteBuffer> SECRET = KIND.attribute("secret", Kept.BYTES);
  public static final Attribute<ByteBuffer> OLD_SECRET = KIND.attribute("old_secret", Kept.BYTES);
  public static final Attribute<Instant> OLD_UNTIL = KIND.attribute("old_until", Kept.INSTANT);

  /// The number of times that its secret was replaced.
  public static final Attribute<Long> ROTATIONS = KIND.attribute("rotations", Kept.NUMBER);

  /// The times at which the client last changed the webhook and last enabled it.
  public static final Attribute<Instant> CHANGED = KIND.attribute("changed", Kept.INSTANT);

  public static final Attribute<Instant> ENABLED_AT = KIND.attribute("enabled_at", Kept.INSTANT);

  /// The id and the end of the lease of the process that sends its deliveries.
  public static final Attribute<String> HOLDER = KIND.attribute("holder", Kept.TEXT);

  public static final Attribute<Instant> LEASE_UNTIL = KIND.attribute("lease_until", Kept.INSTANT);

  /// A random value, new with each request to send. A sender that gives up its lease compares it,
  /// so that no request is lost.
  public static final Attribute<String> WOKEN = KIND.attribute("woken", Kept.TEXT);

  public static Webhook read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Webhook webhook) {
    return KIND.put(webhook);
  }

  public static Change change(Workspace workspace, WebhookId id, boolean ofSession) {
    return KIND.change(Layout.webhook(workspace, id, ofSession));
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
