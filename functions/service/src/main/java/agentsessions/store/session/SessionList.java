package agentsessions.store.session;

import agentsessions.session.Session;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The sessions of a workspace by time of creation: pointers in a partition of their own, then the
/// sessions themselves.
@Singleton
public final class SessionList {
  /// One pointer's place in its list; `session` is empty where the session was deleted meanwhile.
  public record Row(String position, Optional<Session> session) {}

  /// Which pointers to follow: all, those of one agent, or those of working sessions.
  public sealed interface Which {
    record All() implements Which {}

    record OfAgent(String agentName) implements Which {}

    record Working() implements Which {}
  }

  public static final int BATCH = 100;

  private final Table table;

  public SessionList(Table table) {
    this.table = table;
  }

  /// Rows with positions from `first` to `last`, both included; at most `limit`, which is 100 at
  /// most. Sessions that an older version made are among them whether they are archived or not, and
  /// so are all that work.
  public List<Row> rows(
      Workspace workspace,
      Which which,
      boolean archived,
      String first,
      String last,
      boolean ascending,
      int limit) {
    Comparator<String> order = Comparator.naturalOrder();
    List<String> positions =
        partitions(workspace, which, archived).stream()
            .flatMap(list -> table.range(list, first, last, ascending, limit).stream())
            .map(pointer -> pointer.requiredText("SK"))
            .distinct()
            .sorted(ascending ? order : order.reversed())
            .limit(limit)
            .toList();
    return rows(workspace, positions);
  }

  private List<Row> rows(Workspace workspace, List<String> positions) {
    Map<Layout.Key, Item> sessions =
        table.items(
            positions.stream().map(position -> Layout.meta(session(workspace, position))).toList());
    return positions.stream()
        .map(position ->
            new Row(
                position,
                Sessions.visible(sessions.get(Layout.meta(session(workspace, position))))))
        .toList();
  }

  static SessionKey session(Workspace workspace, String position) {
    String id = position.substring(position.indexOf('#') + 1);
    return new SessionKey(workspace, SessionId.parse(id).orElseThrow());
  }

  private static List<String> partitions(Workspace workspace, Which which, boolean archived) {
    return switch (which) {
      case Which.All _ -> Listing.partitions(workspace, archived);
      case Which.OfAgent agent -> Listing.partitions(workspace, archived, agent.agentName());
      case Which.Working _ -> List.of(Layout.workingPartition(workspace));
    };
  }
}
