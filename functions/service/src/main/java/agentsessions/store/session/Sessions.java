package agentsessions.store.session;

import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.PermissionsItem;
import agentsessions.table.item.PlansItem;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.SessionItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The sessions: their reads, and the one change that touches no turn.
@Singleton
public final class Sessions {

  /// More working sessions than a workspace may have.
  private static final int MOST_WORKING = 20_000;

  private final Table table;
  private final Clock clock;

  public Sessions(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// A session with its plans and the usage of its turn that is not settled yet, from one read, and
  /// its permissions, from another where it has any.
  public record Loaded(
      Session session, Plans plans, Optional<Usage> open, Optional<ToolPermissions> permissions) {

    /// The usage of all its turns so far.
    public UsageTotal spent() {
      UsageTotal settled = session.account().spent();
      return open.map(usage -> settled.plus(UsageTotal.of(usage))).orElse(settled);
    }

    /// Whether that usage is final and complete.
    public boolean isComplete() {
      return !session.working() && open.isEmpty() && spent().incomplete() == 0;
    }
  }

  /// The changes that a client may make to a session; an absent part stays as it is.
  public record Patch(
      Optional<Optional<String>> title,
      Optional<Map<String, String>> metadata,
      Optional<Boolean> archived,
      Optional<Optional<Ceilings>> turnLimits,
      Optional<Optional<Ceilings>> sessionLimits,
      Optional<Optional<ToolPermissions>> permissions) {}

  /// A session that was not deleted.
  public Optional<Session> load(SessionKey key) {
    return visible(table.item(Layout.meta(key)).orElse(null));
  }

  public Optional<Loaded> loadWithPlans(SessionKey key) {
    List<Item> items =
        table.range(Layout.partition(key), Layout.META, Layout.SANDBOX_LOCK, true, 3);
    return find(items, Layout.META)
        .flatMap(item -> visible(item))
        .map(session ->
            new Loaded(
                session,
                PlansItem.read(find(items, Layout.PLANS)),
                open(session, find(items, Layout.SANDBOX_LOCK)),
                permissions(table, session)));
  }

  public Optional<ToolPermissions> permissions(Session session) {
    return permissions(table, session);
  }

  /// The permissions of a session's next turns; empty where everything is allowed, which costs no
  /// read.
  public static Optional<ToolPermissions> permissions(Table table, Session session) {
    return Optional.ofNullable(session.permissions())
        .flatMap(version -> table.item(Layout.permissions(session.key(), version)))
        .map(PermissionsItem::read);
  }

  private static Optional<Item> find(List<Item> items, String sk) {
    return items.stream().filter(item -> item.key().sk().equals(sk)).findFirst();
  }

  /// The usage of the turn that holds the sandbox or is parked, unless that is settled already.
  private static Optional<Usage> open(Session session, Optional<Item> lock) {
    return lock.flatMap(item ->
        SandboxLockItem.user(item)
            .filter(turn -> !turn.isJob() && !turn.equals(session.account().settled()))
            .map(_ -> SandboxLockItem.usage(item)));
  }

  /// The usage of all working sessions of a workspace that is in no sum yet, as their runners last
  /// reported it, also those that have parked their turns.
  public List<Usage> open(Workspace workspace) {
    List<SessionKey> working =
        table.keys(Layout.workingPartition(workspace), MOST_WORKING).stream()
            .filter(key -> !key.sk().startsWith(Layout.GREATEST))
            .map(key -> SessionList.sessionKey(workspace, key.sk()))
            .toList();
    Map<Layout.Key, Item> items =
        table.items(
            working.stream()
                .flatMap(session -> Stream.of(Layout.meta(session), Layout.sandboxLock(session)))
                .toList());
    return working.stream()
        .flatMap(session ->
            visible(items.get(Layout.meta(session)))
                .flatMap(found ->
                    open(found, Optional.ofNullable(items.get(Layout.sandboxLock(session)))))
                .stream())
        .toList();
  }

  /// Changes title, metadata, ceilings, permissions or archiving; empty where there is no such
  /// session. Its time of change never goes back, though a message may have been stamped a little
  /// ahead of the clock.
  public Optional<Loaded> change(SessionKey key, Patch patch) {
    Stamp stamp = Stamp.of(clock.instant());
    for (int tries = 0; ; tries++) {
      Table.Outcome outcome = write(key, patch, stamp);
      if (!(outcome instanceof Table.Outcome.Refused refused)) {
        return loadWithPlans(key);
      }
      Optional<Session> seen =
          refused.by().values().stream()
              .flatMap(Optional::stream)
              .findFirst()
              .flatMap(item -> visible(item));
      if (seen.isEmpty()) {
        return Optional.empty();
      }
      if (tries > 0) {
        Retries.pause("change", tries); // the first time the clock was behind, most likely
      }
      stamp = Stamp.after(seen.get().updatedAt(), clock.instant());
    }
  }

  private static Change change(SessionKey key, Patch patch, Stamp stamp) {
    Change change =
        SessionItem.change(key)
            .when("attribute_exists(#PK) AND attribute_not_exists(#deleted)")
            .when("#updated <= :stamp")
            .with("stamp", SessionItem.UPDATED, stamp)
            .set(SessionItem.UPDATED, stamp);
    patch.title().ifPresent(title -> change.replace(SessionItem.TITLE, title));
    patch.metadata().ifPresent(pairs -> change.set(SessionItem.METADATA, pairs));
    patch.turnLimits().ifPresent(most -> change.replace(SessionItem.TURN_LIMITS, most));
    patch.sessionLimits().ifPresent(most -> change.replace(SessionItem.SESSION_LIMITS, most));
    patch
        .permissions()
        .ifPresent(
            rules -> change.replace(SessionItem.PERMISSIONS, rules.map(ToolPermissions::version)));
    return change;
  }

  /// Moves the pointers in lists only where `archived` changes.
  private Table.Outcome write(SessionKey key, Patch patch, Stamp stamp) {
    Change change = change(key, patch, stamp);
    List<Write> others = new ArrayList<>();
    patch
        .permissions()
        .flatMap(rules -> rules)
        .ifPresent(rules -> others.add(PermissionsItem.keep(key, rules)));
    patch
        .archived()
        .flatMap(wanted -> load(key).filter(session -> session.archived() != wanted))
        .ifPresent(session -> {
          others.addAll(SessionPointers.moved(session, !session.archived()));
          change.set(SessionItem.ARCHIVED, !session.archived());
        });
    if (others.isEmpty()) {
      return table.write(change.update());
    }
    others.add(change.update());
    return table.write(others);
  }

  /// The plans of a session; none where it has none yet.
  public Plans plans(SessionKey key) {
    return PlansItem.read(table.item(Layout.plans(key)));
  }

  public static Optional<Session> visible(@Nullable Item meta) {
    return meta == null || meta.flag(SessionItem.DELETED)
        ? Optional.empty()
        : Optional.of(SessionItem.read(meta));
  }

  /// Schedules the next look at what is left of a deleted session.
  public static Change purgedAt(Layout.Key meta, Instant due) {
    return SessionItem.change(meta.sessionKey())
        .due(Shards.purge(meta), due)
        .when("attribute_exists(#deleted)");
  }

  /// Notes that a session's folder is to be removed from the one machine. The note is removed after
  /// the folder, whatever is left of the session.
  public static Write unwanted(SessionKey key, Instant now) {
    return Change.of(Layout.folder(key))
        .initially(Attribute.LIVE, Shards.FOLDERS)
        .initially(Attribute.DUE_AT, now)
        .update();
  }
}
