package agentsessions.aws;

import agentsessions.session.Plans;
import agentsessions.session.Session;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.time.Clock;
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
  public Optional<Session> load(Workspace workspace, SessionId id) {
    return visible(workspace, id, table.item(Layout.meta(workspace, id)).orElse(null));
  }

  public Optional<Loaded> loadWithPlans(Workspace workspace, SessionId id) {
    List<Item> items =
        table.range(Layout.partition(workspace, id), Layout.META, Layout.PLANS, true, 2);
    return items.stream()
        .filter(item -> item.requiredText("SK").equals(Layout.META))
        .findFirst()
        .flatMap(item -> visible(workspace, id, item))
        .map(session -> new Loaded(session, plans(items)));
  }

  /// Changes title, metadata or archiving; empty where there is no such session.
  public Optional<Loaded> change(Workspace workspace, SessionId id, Patch patch) {
    Change change =
        Change.of(Layout.meta(workspace, id))
            .when("attribute_exists(#PK) AND attribute_not_exists(#deleted)")
            .set("updated", Item.stamp(Stamp.of(clock.instant())));
    patch
        .title()
        .ifPresent(title ->
            title.ifPresentOrElse(
                text -> change.set("title", Item.text(text)), () -> change.remove("title")));
    patch.metadata().ifPresent(pairs -> change.set("metadata", Item.texts(pairs)));
    patch.archived().ifPresent(archived -> change.set("archived", Item.flag(archived)));
    return table.write(List.of(change.update())).committed()
        ? loadWithPlans(workspace, id)
        : Optional.empty();
  }

  public static Optional<Session> visible(Workspace workspace, SessionId id, @Nullable Item meta) {
    return meta == null || meta.flag("deleted")
        ? Optional.empty()
        : Optional.of(Codec.session(workspace, id, meta));
  }

  private static Plans plans(List<Item> items) {
    return items.stream()
        .filter(item -> item.requiredText("SK").equals(Layout.PLANS))
        .findFirst()
        .map(item -> Plans.read(item.binary("plans")))
        .orElse(Plans.NONE);
  }
}
