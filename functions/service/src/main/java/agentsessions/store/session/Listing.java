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
/// whatever changes `archived` moves the pointers in the same transaction. The sessions of an older
/// version stand in two lists without a state (`LIST`), until they are moved or deleted.
public final class Listing {
  private static final String OLDER = "LIST";

  /// In which lists to look for sessions of one state.
  static List<String> partitions(Workspace workspace, boolean archived) {
    return List.of(partition(workspace, state(archived)), partition(workspace, OLDER));
  }

  /// The same for those of one agent.
  static List<String> partitions(Workspace workspace, boolean archived, String agent) {
    return partitions(workspace, archived).stream().map(list -> list + "#" + agent).toList();
  }

  /// A new session is listed as not archived.
  public static List<Write> made(Session session) {
    return pointers(session, state(false)).map(key -> Change.of(key).put()).toList();
  }

  /// It is listed as archived, or as not archived, wherever it was before.
  public static List<Write> moved(Session session, boolean archived) {
    return Stream.concat(
            pointers(session, state(archived)).map(key -> Change.of(key).overwrite()),
            Stream.concat(pointers(session, state(!archived)), pointers(session, OLDER))
                .map(key -> Change.of(key).delete()))
        .toList();
  }

  /// It is listed no more.
  public static List<Write> removed(Session session) {
    return Stream.of(state(false), state(true), OLDER)
        .flatMap(list -> pointers(session, list))
        .map(key -> Change.of(key).delete())
        .toList();
  }

  private static Stream<Layout.Key> pointers(Session session, String list) {
    String all = partition(session.key().workspace(), list);
    String position = Layout.position(session.key(), session.createdAt());
    return Stream.of(all, all + "#" + session.agentName())
        .map(partition -> new Layout.Key(partition, position));
  }

  private static String state(boolean archived) {
    return archived ? "ARCHIVED" : "ACTIVE";
  }

  private static String partition(Workspace workspace, String list) {
    return "W#" + workspace + "#" + list;
  }

  private Listing() {}
}
