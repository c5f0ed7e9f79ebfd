package agentsessions.store.artifact;

import agentsessions.session.Artifact;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Pages;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.item.ArtifactItem;
import agentsessions.table.item.SessionItem;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The artifact records of a session, in the order in which they were captured.
@Singleton
public final class Artifacts {
  private final Table table;

  public Artifacts(Table table) {
    this.table = table;
  }

  /// A found record; `sessionFound` tells an unknown artifact of a session from an unknown session.
  public record Found(boolean sessionFound, Optional<Artifact> artifact) {}

  public Found find(SessionKey key, ArtifactId id) {
    Layout.Key meta = Layout.meta(key);
    Layout.Key record = Layout.artifact(key, id);
    Map<Layout.Key, Item> items = table.items(List.of(meta, record));
    Item found = items.get(meta);
    if (found == null || found.flag(SessionItem.DELETED)) {
      return new Found(false, Optional.empty());
    }
    return new Found(true, Optional.ofNullable(items.get(record)).map(ArtifactItem::read));
  }

  /// An artifact of any session of the workspace that was not deleted; one that was recorded before
  /// there was such a look-up is not found.
  public Optional<Artifact> find(Workspace workspace, ArtifactId id) {
    return table.indexed(Shards.artifact(workspace, id)).stream()
        .findFirst()
        .flatMap(record -> find(record.sessionKey(), id).artifact());
  }

  /// All records from `first` on (an artifact id, or a text that sorts among them), in order, read
  /// as they are iterated, `atOnce` together.
  public Iterable<Artifact> from(SessionKey key, String first, int atOnce) {
    return Pages.of(
        first,
        atOnce,
        from -> list(key, from, Layout.GREATEST, true, atOnce),
        artifact -> artifact.id().toString());
  }

  /// At most `limit` records from `first` to `last` (artifact ids, or a text that sorts among
  /// them).
  public List<Artifact> list(
      SessionKey key, String first, String last, boolean ascending, int limit) {
    return table
        .range(
            Layout.partition(key),
            Layout.ARTIFACTS + first,
            Layout.ARTIFACTS + last,
            ascending,
            limit)
        .stream()
        .map(ArtifactItem::read)
        .toList();
  }
}
