package agentsessions.store.webhook;

import agentsessions.session.id.EventId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.table.Change;
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

  /// Queues a delivery; one that is there already stays as it is.
  public void put(Webhook webhook, WebhookEvent event, String body) {
    Instant now = clock.instant();
    Change change =
        Change.of(Layout.delivery(webhook.workspace(), webhook.id(), event.id()))
            .set("type", event.type().text())
            .set(DeliveryItem.BODY, body)
            .set(DeliveryItem.STATUS, Delivery.Status.PENDING.name())
            .set("created", now)
            .set("expires_at", now.plus(Delivery.KEPT).getEpochSecond())
            .set("LIVE", Shards.deliveries(webhook.id()))
            .set("due_at", now);
    Optional.ofNullable(event.about())
        .ifPresent(about -> change.set("session", about.session().toString()));
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
        Change.of(key)
            .set(DeliveryItem.STATUS, Delivery.Status.PENDING.name())
            .set(DeliveryItem.TRIES, 0)
            .set("LIVE", Shards.deliveries(webhook))
            .set("due_at", clock.instant())
            .when("attribute_exists(#PK) AND #created > :oldest")
            .with("oldest", clock.instant().minus(Delivery.KEPT));
    return table.write(change.update()).committed();
  }

  /// The deliveries of a webhook that are due, the oldest first; at most `limit`.
  public List<Delivery> due(Webhook webhook, int limit) {
    List<Layout.Key> keys =
        table.due(Shards.deliveries(webhook.id()), clock.millis(), limit).stream()
            .map(item -> Table.key(item.attributes()))
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
        .map(item -> Instant.ofEpochMilli(item.number("due_at")));
  }

  /// Spreads the backlog of a webhook over a time, so that it is not sent all at once.
  public void spread(Webhook webhook, Duration over, int most) {
    Instant now = clock.instant();
    List<Layout.Key> keys =
        table.due(Shards.deliveries(webhook.id()), Long.MAX_VALUE, most).stream()
            .map(item -> Table.key(item.attributes()))
            .toList();
    for (int i = 0; i < keys.size(); i++) {
      Change later =
          Change.of(keys.get(i))
              .set("due_at", now.plus(over.multipliedBy(i).dividedBy(keys.size())))
              .when("#status = :pending")
              .with("pending", Delivery.Status.PENDING.name());
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
        Change.of(Layout.delivery(workspace, delivery.webhook(), delivery.event()))
            .set(DeliveryItem.STATUS, then.name())
            .set(DeliveryItem.TRIES, delivery.tries() + 1)
            .set(
                DeliveryItem.ATTEMPTS,
                DeliveryItem.attempts(
                    attempts.subList(
                        Math.max(0, attempts.size() - Delivery.REMEMBERED), attempts.size())))
            .when("#status = :pending AND (attribute_not_exists(#tries) OR #tries = :tries)")
            .with("pending", Delivery.Status.PENDING.name())
            .with("tries", delivery.tries());
    next.ifPresentOrElse(at -> change.set("due_at", at), () -> change.remove("LIVE", "due_at"));
    boolean _ = table.write(change.update()).committed();
  }
}
