package agentsessions.aws;

import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.SessionKey;
import agentsessions.session.Stamp;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sessions as they are read, and the one change that touches no turn.
@Singleton
public final class Sessions {
  private final Table table;
  private final Clock clock;

  Sessions(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// A session with its plans, as one read finds them.
  public record Loaded(Session session, Plans plans) {}

  /// What a client may change of a session; an absent part stays as it is.
  public record Patch(
      Optional<Optional<String>> title,
      Optional<Map<String, String>> metadata,
      Optional<Boolean> archived) {}

  /// A session that was not deleted.
  public Optional<Session> load(SessionKey key) {
    return visible(table.item(Layout.meta(key)).orElse(null));
  }

  public Optional<Loaded> loadWithPlans(SessionKey key) {
    List<Item> items = table.range(Layout.partition(key), Layout.META, Layout.PLANS, true, 2);
    return items.stream()
        .filter(item -> item.requiredText("SK").equals(Layout.META))
        .findFirst()
        .flatMap(item -> visible(item))
        .map(session -> new Loaded(session, plans(items)));
  }

  /// Changes title, metadata or archiving; empty where there is no such session.
  public Optional<Loaded> change(SessionKey key, Patch patch) {
    Change change =
        Change.of(Layout.meta(key))
            .when("attribute_exists(#PK) AND attribute_not_exists(#deleted)")
            .set("updated", Stamp.of(clock.instant()));
    patch
        .title()
        .ifPresent(title ->
            title.ifPresentOrElse(text -> change.set("title", text), () -> change.remove("title")));
    patch.metadata().ifPresent(pairs -> change.set("metadata", pairs));
    return write(key, change, patch.archived()).committed() ? loadWithPlans(key) : Optional.empty();
  }

  /// What is archived already, or not, as it is to be, stays where it is.
  private Table.Outcome write(SessionKey key, Change change, Optional<Boolean> archived) {
    Optional<Session> moved =
        archived.flatMap(wanted -> load(key).filter(session -> session.archived() != wanted));
    if (moved.isEmpty()) {
      return table.write(change.update());
    }
    boolean wanted = archived.orElseThrow();
    List<Write> writes = new ArrayList<>(Listing.moved(moved.get(), wanted));
    writes.add(change.set("archived", wanted).update());
    return table.write(writes);
  }

  /// The plans of a session; none where it has none yet.
  public Plans plans(SessionKey key) {
    return plans(table.item(Layout.plans(key)));
  }

  public static Optional<Session> visible(@Nullable Item meta) {
    return meta == null || meta.flag("deleted")
        ? Optional.empty()
        : Optional.of(SessionItem.read(meta));
  }

  private static Plans plans(List<Item> items) {
    return plans(
        items.stream().filter(item -> item.requiredText("SK").equals(Layout.PLANS)).findFirst());
  }

  static Plans plans(Optional<Item> register) {
    return register.map(item -> Plans.read(item.binary("plans"))).orElse(Plans.NONE);
  }
}
