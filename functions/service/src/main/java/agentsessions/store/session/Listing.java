package agentsessions.store.session;

import agentsessions.session.Session;
import agentsessions.session.id.Workspace;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import java.util.List;
import java.util.stream.Stream;

/// Where a session stands in the lists of its workspace: in the list of all and in that of its
/// agent, of those that are archived or of those that are not. So a page reads what it shows, and
/// whatever changes `archived` moves the pointers in the same transaction.
public final class Listing {
  /// The list of the sessions of one state.
  static String partition(Workspace workspace, boolean archived) {
    return "W#" + workspace + (archived ? "#ARCHIVED" : "#ACTIVE");
  }

  /// The list of those of one agent.
  static String partition(Workspace workspace, boolean archived, String agent) {
    return partition(workspace, archived) + "#" + agent;
  }

  /// A new session is listed as not archived.
  public static List<Write> made(Session session) {
    return pointers(session, false).map(key -> Change.of(key).put()).toList();
  }

  /// It is listed as archived, or as not archived, and no more as it was before.
  public static List<Write> moved(Session session, boolean archived) {
    return Stream.concat(
            pointers(session, archived).map(key -> Change.of(key).overwrite()),
            pointers(session, !archived).map(key -> Change.of(key).delete()))
        .toList();
  }

  /// It is listed no more.
  public static List<Write> removed(Session session) {
    return Stream.of(false, true)
        .flatMap(archived -> pointers(session, archived))
        .map(key -> Change.of(key).delete())
        .toList();
  }

  private static Stream<Layout.Key> pointers(Session session, boolean archived) {
    Workspace workspace = session.key().workspace();
    String position = Layout.position(session.key(), session.createdAt());
    return Stream.of(
            partition(workspace, archived), partition(workspace, archived, session.agentName()))
        .map(partition -> new Layout.Key(partition, position));
  }

  private Listing() {}
}
