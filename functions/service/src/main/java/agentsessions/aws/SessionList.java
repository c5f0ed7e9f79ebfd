package agentsessions.aws;

import agentsessions.session.Session;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

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
  private static final SessionId NOBODY = new SessionId(new UUID(0, 0));

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
            positions.stream().map(position -> Layout.meta(workspace, session(position))).toList());
    return positions.stream()
        .map(position ->
            new Row(
                position,
                Optional.ofNullable(sessions.get(Layout.meta(workspace, session(position))))
                    .filter(item -> !item.flag("deleted"))
                    .map(item -> Codec.session(workspace, session(position), item))))
        .toList();
  }

  /// The first position a session created at `stamp` could have.
  public static String position(Stamp stamp) {
    return stamp.digits();
  }

  private static SessionId session(String position) {
    return SessionId.parse(position.substring(position.indexOf('#') + 1)).orElseThrow();
  }

  private static String partition(Workspace workspace, Which which) {
    return switch (which) {
      case Which.All _ -> Layout.listed(workspace, Stamp.ZERO, NOBODY).pk();
      case Which.OfAgent agent ->
          Layout.listedByAgent(workspace, agent.agentName(), Stamp.ZERO, NOBODY).pk();
      case Which.Working _ -> Layout.working(workspace, Stamp.ZERO, NOBODY).pk();
    };
  }
}
