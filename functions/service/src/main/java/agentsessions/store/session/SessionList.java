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
import java.util.stream.Stream;

/// The lists of a workspace's sessions by time of creation: a query of pointers, then a batch of
/// the sessions themselves.
@Singleton
public final class SessionList {
  /// The position of one pointer in its list; `session` is empty where the session was deleted
  /// meanwhile.
  public record Row(String position, Optional<Session> session) {}

  /// The list to read: all sessions, those of one agent, or the working ones and those that wait
  /// for a decision after their turn.
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
  /// most. The list of working sessions also has those that are archived.
  public List<Row> rows(
      Workspace workspace,
      Which which,
      boolean archived,
      String first,
      String last,
      boolean ascending,
      int limit) {
    return rows(
        workspace,
        partitions(workspace, which, archived)
            .flatMap(list -> table.range(list, first, last, ascending, limit).stream())
            .map(pointer -> pointer.key().sk())
            .sorted(ascending ? Comparator.<String>naturalOrder() : Comparator.reverseOrder())
            .limit(limit)
            .toList());
  }

  private List<Row> rows(Workspace workspace, List<String> positions) {
    Map<Layout.Key, Item> sessions =
        table.items(
            positions.stream()
                .map(position -> Layout.meta(sessionKey(workspace, position)))
                .toList());
    return positions.stream()
        .map(position ->
            new Row(
                position,
                Sessions.visible(sessions.get(Layout.meta(sessionKey(workspace, position))))))
        .toList();
  }

  static SessionKey sessionKey(Workspace workspace, String position) {
    String id = position.substring(position.indexOf('#') + 1);
    return new SessionKey(workspace, SessionId.parse(id).orElseThrow());
  }

  private static Stream<String> partitions(Workspace workspace, Which which, boolean archived) {
    return switch (which) {
      case Which.All _ -> Stream.of(SessionPointers.partition(workspace, archived));
      case Which.OfAgent(String agent) ->
          Stream.of(SessionPointers.partition(workspace, archived, agent));
      case Which.Working _ ->
          Stream.of(
              Layout.workingPartition(workspace), Layout.awaitingDecisionPartition(workspace));
    };
  }
}
