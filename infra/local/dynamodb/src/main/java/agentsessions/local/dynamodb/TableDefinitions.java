package agentsessions.local.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The definitions of the tables, kept from call to call until one may have changed.
///
/// By itself DynamoDB Local reads the definition from its file for each call, and parses it, which
/// takes longer than to read an item. Nothing is locked while one is read: whoever is within a
/// transaction would wait here for somebody who waits for that transaction.
final class TableDefinitions {
  /// The calls of the storage that leave all definitions as they are. Any other may change one. No
  /// table is made or changed within a transaction, so that a rollback undoes no definition.
  private static final Set<String> HARMLESS =
      Set.of(
          "beginTransaction",
          "commitTransaction",
          "deleteRecord",
          "fetchAllTablesWithTimeToLiveEnabled",
          "getGSIsByStatusFromAllTables",
          "getLockForTable",
          "getRecord",
          "getTableInfo",
          "listTables",
          "putRecord",
          "queryRecords",
          "rollbackTransaction");

  private final Map<String, Object> known = new HashMap<>();
  private long changes;

  /// The definition of a table; null if there is no such table.
  ///
  /// @param read reads it from the storage
  @Nullable Object find(String table, Callable<@Nullable Object> read) throws Exception {
    long before;
    synchronized (this) {
      Object found = known.get(table);
      if (found != null) {
        return found;
      }
      before = changes;
    }
    Object found = read.call();
    if (found != null) {
      keep(table, found, before);
    }
    return found;
  }

  /// To be called after each call of the storage.
  void called(String method) {
    if (!HARMLESS.contains(method)) {
      forget();
    }
  }

  /// What was read before a change that has ended meanwhile is not kept.
  private synchronized void keep(String table, Object definition, long before) {
    if (changes == before) {
      known.put(table, definition);
    }
  }

  private synchronized void forget() {
    changes++;
    known.clear();
  }
}
