package agentsessions.store.webhook;

import agentsessions.session.id.EventId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.item.DeliveryItem;
import com.github.f4b6a3.uuid.UuidCreator;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The deliveries of webhook events: one item for each event and webhook, made once, retried, kept
/// for thirty days.
@Singleton
public final class Deliveries {
  private final Table table;
  private final Clock clock;

  public Deliveries(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// The id of a new event of no session, for one webhook.
  public static EventId fresh(Instant now) {
    return new EventId(UuidCreator.getTimeOrderedEpoch(now));
  }

  /// Queues a `ping` for one webhook; its id.
  public EventId ping(Webhook webhook) {
    Instant now = clock.instant();
    WebhookEvent ping = WebhookEvent.ping(fresh(now), now);
    put(webhook, ping, "");
    return ping.id();
  }

  /// Queues a delivery; one that is there already stays as it is.
  public void put(Webhook webhook, WebhookEvent event, String body) {
    Instant now = clock.instant();
    Change change =
        DeliveryItem.change(Layout.delivery(webhook.workspace(), webhook.id(), event.id()))
            .set(DeliveryItem.TYPE, event.type())
            .set(DeliveryItem.BODY, body)
            .set(DeliveryItem.STATUS, Delivery.Status.PENDING)
            .set(DeliveryItem.CREATED, now)
            .set(Attribute.EXPIRES_AT, now.plus(Delivery.KEPT))
            .due(Shards.deliveries(webhook.id()), now);
    Optional.ofNullable(event.about())
        .ifPresent(about -> change.set(DeliveryItem.SESSION, about.session()));
    boolean _ = table.write(change.put()).committed();
  }

  /// The deliveries of a webhook in the order of their events, from `first` to `last`; at most
  /// `limit`.
  public List<Delivery> list(
      Workspace workspace,
      WebhookId webhook,
      String first,
      String last,
      boolean ascending,
      int limit) {
    return table
        .range(Layout.deliveries(workspace, webhook), first, last, ascending, limit)
        .stream()
        .map(DeliveryItem::read)
        .toList();
  }

  public Optional<Delivery> find(Workspace workspace, WebhookId webhook, EventId event) {
    return table.item(Layout.delivery(workspace, webhook, event)).map(DeliveryItem::read);
  }

  /// Has a delivery tried again from its first attempt, whatever its status; false if there is
  /// none.
  public boolean again(Workspace workspace, WebhookId webhook, EventId event) {
    Layout.Key key = Layout.delivery(workspace, webhook, event);
    Change change =
        DeliveryItem.change(key)
            .set(DeliveryItem.STATUS, Delivery.Status.PENDING)
            .set(DeliveryItem.TRIES, 0)
            .due(Shards.deliveries(webhook), clock.instant())
            .when("attribute_exists(#PK) AND #created > :oldest")
            .with("oldest", DeliveryItem.CREATED, clock.instant().minus(Delivery.KEPT));
    return table.write(change.update()).committed();
  }

  /// The deliveries of a webhook that are due, the oldest first; at most `limit`.
  public List<Delivery> due(Webhook webhook, int limit) {
    List<Layout.Key> keys =
        table.due(Shards.deliveries(webhook.id()), clock.millis(), limit).stream()
            .map(Item::key)
            .toList();
    List<Delivery> due = new ArrayList<>();
    table.items(keys).values().forEach(item -> due.add(DeliveryItem.read(item)));
    Instant now = clock.instant();
    due.removeIf(one ->
        one.status() != Delivery.Status.PENDING
            || one.nextAttemptAt() == null
            || one.nextAttemptAt().isAfter(now));
    due.sort(
        Comparator.comparing((Delivery one) -> Objects.requireNonNull(one.nextAttemptAt()))
            .thenComparing(one -> one.event().toString()));
    return due;
  }

  /// The time of the webhook's next delivery.
  public Optional<Instant> next(Webhook webhook) {
    return table.due(Shards.deliveries(webhook.id()), Long.MAX_VALUE, 1).stream()
        .findFirst()
        .map(item -> item.get(Attribute.DUE_AT));
  }

  /// Spreads the backlog of a webhook over a time, so that it is not sent all at once.
  public void spread(Webhook webhook, Duration over, int most) {
    Instant now = clock.instant();
    List<Layout.Key> keys =
        table.due(Shards.deliveries(webhook.id()), Long.MAX_VALUE, most).stream()
            .map(Item::key)
            .toList();
    for (int i = 0; i < keys.size(); i++) {
      Change later =
          DeliveryItem.change(keys.get(i))
              .set(Attribute.DUE_AT, now.plus(over.multipliedBy(i).dividedBy(keys.size())))
              .when("#status = :pending")
              .with("pending", DeliveryItem.STATUS, Delivery.Status.PENDING);
      boolean _ = table.write(later.update()).committed();
    }
  }

  /// Records an attempt; empty `next`: no other is to come. Nothing is recorded where the delivery
  /// was asked for anew meanwhile.
  public void attempted(
      Workspace workspace,
      Delivery delivery,
      Delivery.Attempt attempt,
      Delivery.Status then,
      Optional<Instant> next) {
    List<Delivery.Attempt> attempts = new ArrayList<>(delivery.attempts());
    attempts.add(attempt);
    Change change =
        DeliveryItem.change(Layout.delivery(workspace, delivery.webhook(), delivery.event()))
            .set(DeliveryItem.STATUS, then)
            .set(DeliveryItem.TRIES, delivery.tries() + 1)
            .set(
                DeliveryItem.ATTEMPTS,
                attempts.subList(
                    Math.max(0, attempts.size() - Delivery.REMEMBERED), attempts.size()))
            .when("#status = :pending AND (attribute_not_exists(#tries) OR #tries = :tries)")
            .with("pending", DeliveryItem.STATUS, Delivery.Status.PENDING)
            .with("tries", DeliveryItem.TRIES, delivery.tries());
    next.ifPresentOrElse(at -> change.set(Attribute.DUE_AT, at), change::notDue);
    boolean _ = table.write(change.update()).committed();
  }
}
