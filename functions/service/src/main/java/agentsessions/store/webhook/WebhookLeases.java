package agentsessions.store.webhook;

import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Webhook;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.item.WebhookItem;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The lease of a webhook's sender, and the time of the webhook's next round: one sender at a time,
/// and no delivery that is queued meanwhile is overlooked.
@Singleton
public final class WebhookLeases {
  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final int MOST_DUE = 250;

  /// The time after which the index shows every delivery that was queued before a wake-up.
  private static final Duration INDEXED = Duration.ofSeconds(60);

  private final Table table;
  private final BeanProvider<WebhookSecrets> secrets;
  private final Clock clock;

  public WebhookLeases(Table table, BeanProvider<WebhookSecrets> secrets, Clock clock) {
    this.table = table;
    this.secrets = secrets;
    this.clock = clock;
  }

  /// The key of a webhook.
  public record Name(Workspace workspace, WebhookId id, boolean ofSession) {
    public static Name of(Webhook webhook) {
      return new Name(webhook.workspace(), webhook.id(), webhook.ofSession());
    }

    Layout.Key key() {
      return Layout.webhook(workspace, id, ofSession);
    }

    Change change() {
      return WebhookItem.change(workspace, id, ofSession);
    }
  }

  /// A webhook that this sender holds for a minute.
  ///
  /// @param woken the mark of its last wake-up
  /// @param enabledAnew whether its backlog is to be spread first
  public record Held(Webhook webhook, String holder, String woken, boolean enabledAnew) {}

  /// Wakes a webhook, so that it is sent to now; false where it fails, or did a moment ago, so that
  /// its events only queue.
  public boolean wake(Name name) {
    if (table
        .write(woken(name).when("attribute_not_exists(#failing_since)").update())
        .committed()) {
      return true;
    }
    // Also where it has just recovered: its sender may not see yet for what it is woken.
    Change queued =
        enabled(name.change())
            .set(WebhookItem.WOKEN, UUID.randomUUID().toString())
            .set(Attribute.LIVE, Shards.webhook(name.key()))
            .initially(Attribute.DUE_AT, clock.instant());
    boolean _ = table.write(queued.update()).committed();
    return false;
  }

  /// The same on request of a client, even while it fails.
  public void wakeAnyhow(Name name) {
    boolean _ = table.write(woken(name).update()).committed();
  }

  /// The webhooks that are due, of one partition of the index.
  public List<Name> due(String shard) {
    return table.due(shard, clock.millis(), MOST_DUE).stream()
        .map(Item::key)
        .map(key -> new Name(key.workspace(), key.webhook(), key.pk().endsWith("#OWN")))
        .toList();
  }

  /// Takes the lease. Empty where another sender holds it, or there is no such webhook, or it is
  /// disabled.
  public Optional<Held> take(Name name) {
    String holder = UUID.randomUUID().toString();
    Change change =
        enabled(name.change())
            .set(WebhookItem.HOLDER, holder)
            .set(WebhookItem.LEASE_UNTIL, clock.instant().plus(LEASE))
            .when("(attribute_not_exists(#lease_until) OR #lease_until < :now)")
            .with("now", WebhookItem.LEASE_UNTIL, clock.instant());
    return table.write(List.of(change.update())).committed()
        ? seen(name, holder)
        : Optional.empty();
  }

  /// Renews the lease for another minute, and reads the webhook again.
  public Optional<Held> renew(Held held) {
    Change change = own(held).set(WebhookItem.LEASE_UNTIL, clock.instant().plus(LEASE));
    if (!table.write(change.update()).committed()) {
      return Optional.empty();
    }
    Optional<Held> seen = seen(Name.of(held.webhook()), held.holder());
    if (seen.isEmpty()) {
      drop(held);
    }
    return seen;
  }

  /// Releases what was disabled or deleted meanwhile.
  private void drop(Held held) {
    Change change = own(held).remove(WebhookItem.HOLDER, WebhookItem.LEASE_UNTIL);
    boolean _ = table.write(change.update()).committed();
  }

  /// The secrets that sign for it now: one, or two for a day after a rotation.
  public List<String> secrets(Webhook webhook) {
    Item item =
        table
            .item(Name.of(webhook).key())
            .orElseThrow(() -> new IllegalStateException("a webhook without its item"));
    WebhookSecrets webhookSecrets = secrets.get();
    List<String> all = new ArrayList<>();
    all.add(webhookSecrets.open(webhook.id(), item.get(WebhookItem.SECRET)));
    if (item.optional(WebhookItem.OLD_UNTIL).filter(clock.instant()::isBefore).isPresent()) {
      all.add(webhookSecrets.open(webhook.id(), item.get(WebhookItem.OLD_SECRET)));
    }
    return all;
  }

  /// Notes that its backlog has been spread.
  public void spread(Held held) {
    boolean _ = table.write(own(held).remove(WebhookItem.ENABLED_AT).update()).committed();
  }

  public void succeeded(Held held) {
    Change change =
        own(held)
            .set(WebhookItem.LAST_SUCCESS, clock.instant())
            .remove(WebhookItem.FAILING_SINCE, WebhookItem.FAILURES);
    boolean _ = table.write(change.update()).committed();
  }

  /// Releases a failing webhook until its next attempt; its events queue meanwhile. One that was
  /// disabled meanwhile stays as it is, and is not due.
  ///
  /// @param times failures in a row; 1: the first
  public void failed(Held held, int times, Instant until) {
    Change change =
        enabled(own(held))
            .set(WebhookItem.FAILURES, times)
            .due(Shards.webhook(Name.of(held.webhook()).key()), until)
            .remove(WebhookItem.HOLDER, WebhookItem.LEASE_UNTIL);
    Instant now = clock.instant();
    Change since =
        times == 1
            ? change.set(WebhookItem.FAILING_SINCE, now)
            : change.initially(WebhookItem.FAILING_SINCE, now);
    if (!table.write(since.update()).committed()) {
      drop(held);
    }
  }

  /// Disables it: no event is sent to it until a client enables it again.
  public void disable(Held held, String reason) {
    Change change =
        own(held)
            .set(WebhookItem.ENABLED, false)
            .set(WebhookItem.DISABLED_REASON, reason)
            .notDue()
            .remove(WebhookItem.HOLDER, WebhookItem.LEASE_UNTIL);
    boolean _ = table.write(change.update()).committed();
  }

  /// Releases it until its next delivery; false where a wake-up came meanwhile, or it was disabled.
  /// After a wake-up it is due once more a minute later, since the index may not show yet for what
  /// it was woken.
  public boolean release(Held held, Optional<Instant> next) {
    Change change = enabled(own(held)).remove(WebhookItem.HOLDER, WebhookItem.LEASE_UNTIL);
    Optional<Instant> until = next;
    if (held.woken().isEmpty()) {
      change.when("attribute_not_exists(#woken)");
    } else {
      change
          .when("#woken = :woken")
          .with("woken", WebhookItem.WOKEN, held.woken())
          .remove(WebhookItem.WOKEN);
      Instant again = clock.instant().plus(INDEXED);
      until = Optional.of(next.filter(again::isAfter).orElse(again));
    }
    Layout.Key key = Name.of(held.webhook()).key();
    until.ifPresentOrElse(at -> change.due(Shards.webhook(key), at), change::notDue);
    return table.write(change.update()).committed();
  }

  private Change woken(Name name) {
    return enabled(name.change())
        .set(WebhookItem.WOKEN, UUID.randomUUID().toString())
        .due(Shards.webhook(name.key()), clock.instant());
  }

  private static Change enabled(Change change) {
    return change.when("#enabled = :yes").with("yes", WebhookItem.ENABLED, true);
  }

  private static Change own(Held held) {
    return Name.of(held.webhook())
        .change()
        .when("#holder = :holder")
        .with("holder", WebhookItem.HOLDER, held.holder());
  }

  private Optional<Held> seen(Name name, String holder) {
    return table
        .item(name.key())
        .filter(
            item -> holder.equals(item.find(WebhookItem.HOLDER)) && item.flag(WebhookItem.ENABLED))
        .map(item ->
            new Held(
                WebhookItem.read(item),
                holder,
                item.get(WebhookItem.WOKEN, ""),
                item.has(WebhookItem.ENABLED_AT)));
  }
}
