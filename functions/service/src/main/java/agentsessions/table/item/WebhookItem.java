package agentsessions.table.item;

import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The item of a webhook, with its sealed secrets and its sender.
public final class WebhookItem {
  public static final String SECRET = "secret";
  public static final String OLD_SECRET = "old_secret";
  public static final String OLD_UNTIL = "old_until";

  private static final Attribute<Webhook, String> URL =
      new Attribute<>("url", Kept.TEXT, Webhook::url);
  private static final Attribute<Webhook, List<String>> TYPES =
      new Attribute<>("types", Kept.NAMES, webhook -> texts(webhook.types()));
  private static final Attribute<Webhook, String> DESCRIPTION =
      new Attribute<>("description", Kept.TEXT, Webhook::description);
  private static final Attribute<Webhook, Boolean> ENABLED =
      new Attribute<>("enabled", Kept.FLAG, Webhook::enabled);
  private static final Attribute<Webhook, String> REASON =
      new Attribute<>("disabled_reason", Kept.TEXT, Webhook::disabledReason);
  private static final Attribute<Webhook, String> BASE_URL =
      new Attribute<>("base_url", Kept.TEXT, Webhook::baseUrl);
  private static final Attribute<Webhook, Instant> CREATED =
      new Attribute<>("created", Kept.INSTANT, Webhook::createdAt);
  private static final Attribute<Webhook, Instant> SUCCESS =
      new Attribute<>("last_success", Kept.INSTANT, Webhook::lastSuccessAt);
  private static final Attribute<Webhook, Instant> FAILING_SINCE =
      new Attribute<>(
          "failing_since",
          Kept.INSTANT,
          webhook -> webhook.failing() == null ? null : webhook.failing().since());
  private static final Attribute<Webhook, Long> FAILURES =
      new Attribute<>(
          "failures",
          Kept.NUMBER,
          webhook -> webhook.failing() == null ? null : (long) webhook.failing().times());

  private static final Kind<Webhook> KIND =
      new Kind<>(
          Webhook.class,
          webhook -> Layout.webhook(webhook.workspace(), webhook.id(), webhook.ofSession()),
          WebhookItem::webhook,
          List.of(
              URL,
              TYPES,
              DESCRIPTION,
              ENABLED,
              REASON,
              BASE_URL,
              CREATED,
              SUCCESS,
              FAILING_SINCE,
              FAILURES));

  public static Webhook read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Webhook webhook) {
    return KIND.put(webhook);
  }

  public static List<String> texts(List<WebhookEventType> types) {
    return types.stream().map(WebhookEventType::text).toList();
  }

  private static Webhook webhook(Layout.Key key, Parts parts) {
    Instant since = parts.find(FAILING_SINCE);
    return new Webhook(
        key.workspace(),
        key.webhook(),
        key.pk().endsWith("#OWN"),
        parts.get(URL),
        parts.get(TYPES, List.of()).stream()
            .map(WebhookEventType::of)
            .flatMap(Optional::stream)
            .toList(),
        parts.find(DESCRIPTION),
        parts.flag(ENABLED),
        parts.find(REASON),
        parts.get(BASE_URL),
        parts.get(CREATED),
        parts.find(SUCCESS),
        since == null ? null : new Webhook.Failing(since, parts.count(FAILURES)));
  }

  private WebhookItem() {}
}
