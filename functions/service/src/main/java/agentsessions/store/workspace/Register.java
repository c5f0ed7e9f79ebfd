package agentsessions.store.workspace;

import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.Write;

/// Keeps the number of some items within a bound: it is read before they are counted, and whoever
/// adds one moves it on, so that of two who have counted the same one must count again.
public record Register(Layout.Key key, long revision) {
  public static final String REVISION = "revision";

  public static Register of(Table table, Layout.Key key) {
    return new Register(key, table.item(key).map(item -> item.number(REVISION)).orElse(0L));
  }

  /// To be written with what is added.
  public Write next() {
    return Change.of(key)
        .set(REVISION, revision + 1)
        .when("(attribute_not_exists(#revision) OR #revision = :seen)")
        .with("seen", revision)
        .update();
  }
}
