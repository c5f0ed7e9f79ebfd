package agentsessions.jobs.sweep;

import agentsessions.aws.Bucket;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnKey;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.session.Sessions;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.RequestItem;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.SessionItem;
import agentsessions.turn.TaskStops;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The removal of a deleted session's data, in steps that may each be the last: the item that says
/// that there is more to do is removed last. Every step first puts off the next one, so that all
/// deleted sessions get their share of the sweep, whatever becomes of this one.
@Singleton
public final class SessionPurge {
  private static final int STEP = 500;

  /// The attributes of a session's item that hold its client's data.
  private static final Attribute<?>[] SAID = {
    SessionItem.TITLE,
    SessionItem.METADATA,
    SessionItem.PREVIEW,
    SessionItem.REPOSITORIES,
    SessionItem.PERMISSIONS,
    SessionItem.VARIABLES,
    SessionItem.SECRETS
  };

  private static final Duration NEXT = Duration.ofSeconds(1);
  private static final Duration WHILE_HELD = Duration.ofSeconds(15);

  /// The time until the last upload that a runner may have begun is over.
  private static final Duration LATE_UPLOADS = Bucket.FOR_RUNNER.plusMinutes(10);

  private final Table table;
  private final Bucket bucket;
  private final TaskStops stops;
  private final Clock clock;
  private final boolean staysOnMachine;

  /// @param kept `objects`, or `machine` if a session's folder stays on its runner's machine
  public SessionPurge(
      Table table,
      Bucket bucket,
      TaskStops stops,
      Clock clock,
      @Property(name = "sandboxes", defaultValue = "objects") String kept) {
    this.table = table;
    this.bucket = bucket;
    this.stops = stops;
    this.clock = clock;
    this.staysOnMachine = kept.equals("machine");
  }

  /// One step; false where there is nothing to do now, also while a runner holds the sandbox: it
  /// may yet upload, and the usage of its turn is added to the sums only when it lets go. A session
  /// that has become empty is checked once more when every upload link has expired, and only then
  /// removed.
  public boolean step(SessionKey key) {
    Layout.Key meta = Layout.meta(key);
    Layout.Key lock = Layout.sandboxLock(key);
    Map<Layout.Key, Item> found = table.items(List.of(meta, lock));
    Item deleted = found.get(meta);
    if (deleted == null || !deleted.flag(SessionItem.DELETED)) {
      return false;
    }
    Optional<TurnKey> holder =
        Optional.ofNullable(found.get(lock)).flatMap(item -> SandboxLockItem.holder(key, item));
    holder.ifPresent(stops::want);
    boolean held = holder.isPresent();
    putOff(meta, held ? WHILE_HELD : NEXT);
    if (!held && staysOnMachine) {
      // Before this step can be the last, since nothing of the session leads to its folder then.
      boolean _ = table.write(Sessions.unwanted(key, clock.instant())).committed();
    }
    if (!held && !removed(key)) {
      forget(meta, deleted.flag(SessionItem.EMPTIED), deleted.flag(SessionItem.HAS_WEBHOOK));
    }
    return !held;
  }

  private void putOff(Layout.Key meta, Duration time) {
    boolean _ = table.write(later(meta, time).update()).committed();
  }

  /// True where there was anything left to remove.
  private boolean removed(SessionKey sessionKey) {
    boolean any = false;
    for (String prefix : List.of("artifacts/", "texts/", "sandboxes/")) {
      any |= bucket.purge(prefix + sessionKey.id() + "/");
    }
    // Of the items only this, since a request may be 300 KB long.
    List<Item> rest =
        table.keys(Layout.partition(sessionKey), RequestItem.CREATED, STEP).stream()
            .filter(item -> !item.key().sk().equals(Layout.META))
            .toList();
    table.purge(pointers(rest));
    table.purge(rest.stream().map(Item::key).toList());
    return any || !rest.isEmpty();
  }

  /// The pointers to those of the items that are requests: nothing else leads to them.
  private static List<Layout.Key> pointers(List<Item> items) {
    return items.stream()
        .filter(item -> item.key().sk().startsWith(Layout.REQUESTS))
        .flatMap(request -> RequestWrites.pointers(request).stream())
        .toList();
  }

  private void forget(Layout.Key meta, boolean emptiedBefore, boolean hasWebhook) {
    if (emptiedBefore) {
      table.purge(hasWebhook ? List.of(meta, Layout.ownWebhook(meta.sessionKey())) : List.of(meta));
    } else {
      Change empty = later(meta, LATE_UPLOADS).set(SessionItem.EMPTIED, true).remove(SAID);
      boolean _ = table.write(empty.update()).committed();
    }
  }

  private Change later(Layout.Key meta, Duration time) {
    return Sessions.purgedAt(meta, clock.instant().plus(time));
  }
}
