package agentsessions.aws;

import agentsessions.session.Session;
import agentsessions.session.SessionId;
import agentsessions.session.SessionKey;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
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

  SessionList(Table table) {
    this.table = table;
  }

  /// At most 100 rows with positions from `first` to `last`, both included.
  public List<Row> rows(
      Workspace workspace, Which which, String first, String last, boolean ascending) {
    List<String> positions =
        table.range(partition(workspace, which), first, last, ascending, BATCH).stream()
            .map(pointer -> pointer.requiredText("SK"))
            .toList();
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

  private static SessionKey session(Workspace workspace, String position) {
    String id = position.substring(position.indexOf('#') + 1);
    return new SessionKey(workspace, SessionId.parse(id).orElseThrow());
  }

  private static String partition(Workspace workspace, Which which) {
    return switch (which) {
      case Which.All _ -> Layout.listPartition(workspace);
      case Which.OfAgent agent -> Layout.listPartition(workspace, agent.agentName());
      case Which.Working _ -> Layout.workingPartition(workspace);
    };
  }
}
