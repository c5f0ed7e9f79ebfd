package agentsessions.store.webhook;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.store.workspace.QuotaLock;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.WebhookItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The webhooks of workspaces: created, changed, removed. The webhook of a session is created with
/// its session.
@Singleton
public final class Webhooks {
  /// The most webhooks of a workspace, without those of its sessions.
  public static final int MOST = 10;

  /// The time for which the previous secret still signs.
  private static final Duration OVERLAP = Duration.ofHours(24);

  private final Table table;
  private final WebhookSecrets secrets;
  private final Announcer announcer;
  private final Clock clock;

  public Webhooks(Table table, WebhookSecrets secrets, Announcer announcer, Clock clock) {
    this.table = table;
    this.secrets = secrets;
    this.announcer = announcer;
    this.clock = clock;
  }

  /// A webhook with the secret that it was just given.
  public record Made(Webhook webhook, String secret) {
    /// Without the secret, so that no log can hold it.
    @Override
    public String toString() {
      return "webhook " + webhook.id();
    }
  }

  /// The changes that a client may make to a webhook; an absent part stays as it is.
  public record Patch(
      Optional<String> url,
      Optional<List<WebhookEventType>> types,
      Optional<Optional<String>> description,
      Optional<Boolean> enabled) {}

  /// Creates a webhook; empty if the workspace has [#MOST] already.
  public Optional<Made> create(
      Workspace workspace,
      String url,
      List<WebhookEventType> types,
      @Nullable String description,
      String baseUrl) {
    Webhook webhook =
        webhook(
            workspace, new WebhookId(UUID.randomUUID()), false, url, types, description, baseUrl);
    Made made = new Made(webhook, WebhookSecrets.fresh());
    for (int tries = 1; ; tries++) {
      QuotaLock register = QuotaLock.of(table, Layout.webhookRegister(workspace));
      if (list(workspace).size() >= MOST) {
        return Optional.empty();
      }
      List<Write> writes =
          List.of(
              put(made).put(),
              register.next(),
              Change.of(Layout.webhookMark(workspace)).overwrite());
      if (table.write(writes).committed()) {
        announcer.remember(workspace, true);
        return Optional.of(made);
      }
      Retries.pause("the making of a webhook", tries);
    }
  }

  /// The webhook of a session, to be written with it.
  public Write ofSession(
      Workspace workspace, SessionId session, String url, String secret, String baseUrl) {
    Webhook webhook =
        webhook(workspace, new WebhookId(session.value()), true, url, List.of(), null, baseUrl);
    return put(new Made(webhook, secret)).put();
  }

  /// The webhooks of the workspace and, for events of a session with a webhook of its own, that
  /// one.
  public List<Webhook> of(Outbox.Letter letter) {
    List<Webhook> all = new ArrayList<>(list(letter.workspace()));
    @Nullable SessionId session = letter.session();
    if (letter.own() && session != null) {
      WebhookId id = new WebhookId(session.value());
      table
          .item(Layout.webhook(letter.workspace(), id, true))
          .map(WebhookItem::read)
          .ifPresent(all::add);
    }
    return all;
  }

  /// All webhooks of a workspace, the oldest first.
  public List<Webhook> list(Workspace workspace) {
    List<Webhook> all = new ArrayList<>();
    for (Item item :
        table.range(Layout.webhooks(workspace), "0", Layout.GREATEST, true, 2 * MOST)) {
      if (!item.has(QuotaLock.REVISION)) {
        all.add(WebhookItem.read(item));
      }
    }
    all.sort(
        Comparator.comparing(Webhook::createdAt).thenComparing(webhook -> webhook.id().toString()));
    return all;
  }

  public Optional<Webhook> find(Workspace workspace, WebhookId id) {
    return table.item(Layout.webhook(workspace, id, false)).map(WebhookItem::read);
  }

  /// Changes a webhook; enabling it also clears its failures. Empty: there is none.
  public Optional<Webhook> change(Workspace workspace, WebhookId id, Patch patch) {
    Layout.Key key = Layout.webhook(workspace, id, false);
    Change change =
        WebhookItem.change(workspace, id, false)
            .set(WebhookItem.CHANGED, clock.instant())
            .when("attribute_exists(#PK)");
    patch.url().ifPresent(url -> change.set(WebhookItem.URL, url));
    patch.types().ifPresent(types -> change.set(WebhookItem.TYPES, WebhookItem.texts(types)));
    patch.description().ifPresent(text -> change.replace(WebhookItem.DESCRIPTION, text));
    patch.enabled().ifPresent(enabled -> enable(change, key, enabled));
    return table.write(change.update()).committed() ? find(workspace, id) : Optional.empty();
  }

  /// Removes a webhook, and with the last one the mark that the workspace has any; false if there
  /// is none.
  public boolean delete(Workspace workspace, WebhookId id) {
    for (int tries = 1; ; tries++) {
      QuotaLock register = QuotaLock.of(table, Layout.webhookRegister(workspace));
      List<Webhook> all = list(workspace);
      if (all.stream().noneMatch(webhook -> webhook.id().equals(id))) {
        return false;
      }
      List<Write> writes = new ArrayList<>();
      writes.add(Change.of(Layout.webhook(workspace, id, false)).delete());
      writes.add(register.next());
      if (all.size() == 1) {
        writes.add(Change.of(Layout.webhookMark(workspace)).delete());
      }
      if (table.write(writes).committed()) {
        return true;
      }
      Retries.pause("the removal of a webhook", tries);
    }
  }

  /// Gives a webhook a new secret; the previous one also signs for a day. Empty: there is none.
  public Optional<Made> rotate(Workspace workspace, WebhookId id) {
    Layout.Key key = Layout.webhook(workspace, id, false);
    String fresh = WebhookSecrets.fresh();
    for (int tries = 1; ; tries++) {
      Optional<Item> found = table.item(key);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      // Two rotations at once must not overwrite each other: each of them shows its secret to a
      // client.
      long turns = found.get().get(WebhookItem.ROTATIONS, 0L);
      Write write =
          WebhookItem.change(workspace, id, false)
              .set(WebhookItem.SECRET, secrets.seal(id, fresh))
              .set(WebhookItem.OLD_SECRET, found.get().get(WebhookItem.SECRET))
              .set(WebhookItem.OLD_UNTIL, clock.instant().plus(OVERLAP))
              .set(WebhookItem.ROTATIONS, turns + 1)
              .when("attribute_exists(#PK)")
              .when("(attribute_not_exists(#rotations) OR #rotations = :seen)")
              .with("seen", WebhookItem.ROTATIONS, turns)
              .update();
      if (table.write(List.of(write)).committed()) {
        return Optional.of(new Made(WebhookItem.read(found.get()), fresh));
      }
      Retries.pause("the rotation of a webhook's secret", tries);
    }
  }

  private void enable(Change change, Layout.Key key, boolean enabled) {
    change.set(WebhookItem.ENABLED, enabled).remove(WebhookItem.DISABLED_REASON);
    if (enabled) {
      Instant now = clock.instant();
      change
          .set(WebhookItem.ENABLED_AT, now)
          .due(Shards.webhook(key), now)
          .remove(WebhookItem.FAILING_SINCE, WebhookItem.FAILURES);
    } else {
      change.notDue();
    }
  }

  private Change put(Made made) {
    Webhook webhook = made.webhook();
    return WebhookItem.put(webhook)
        .set(WebhookItem.SECRET, secrets.seal(webhook.id(), made.secret()));
  }

  private Webhook webhook(
      Workspace workspace,
      WebhookId id,
      boolean ofSession,
      String url,
      List<WebhookEventType> types,
      @Nullable String description,
      String baseUrl) {
    return new Webhook(
        workspace,
        id,
        ofSession,
        url,
        types,
        WebhookEventType.EDITION,
        description,
        true,
        null,
        baseUrl,
        clock.instant(),
        null,
        null);
  }
}
