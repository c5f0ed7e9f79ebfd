package agentsessions.store.session;

import agentsessions.session.Session;
import agentsessions.session.id.Workspace;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import java.util.List;
import java.util.stream.Stream;

/// The pointers of a session in the lists of its workspace: in the list of all and in that of its
/// agent, each apart for archived sessions. So a page reads only what it shows, and a change of
/// `archived` moves the pointers in the same transaction.
public final class SessionPointers {
  /// The list of all sessions that are archived, or of all that are not.
  static String partition(Workspace workspace, boolean archived) {
    return "W#" + workspace + (archived ? "#ARCHIVED" : "#ACTIVE");
  }

  /// The same list, of one agent only.
  static String partition(Workspace workspace, boolean archived, String agent) {
    return partition(workspace, archived) + "#" + agent;
  }

  /// Lists a new session, as not archived.
  public static List<Write> made(Session session) {
    return pointers(session, false).map(key -> Change.of(key).put()).toList();
  }

  /// Moves a session to the archived ones, or back.
  public static List<Write> moved(Session session, boolean archived) {
    return Stream.concat(
            pointers(session, archived).map(key -> Change.of(key).overwrite()),
            pointers(session, !archived).map(key -> Change.of(key).delete()))
        .toList();
  }

  /// Removes a session from all lists.
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

  private SessionPointers() {}
}
