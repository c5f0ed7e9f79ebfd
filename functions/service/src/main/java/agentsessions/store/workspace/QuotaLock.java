package agentsessions.store.workspace;

import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import agentsessions.table.Write;

/// The optimistic lock of a quota: its revision is read before the items are counted, and every
/// write that adds an item increments it, so that of two writers that counted the same number one
/// must count again.
public record QuotaLock(Layout.Key key, long revision) {
  private static final Schema REGISTER = new Schema();
  public static final Attribute<Long> REVISION =
      REGISTER.attribute("revision", AttributeFormat.NUMBER);

  public static QuotaLock of(Table table, Layout.Key key) {
    return new QuotaLock(key, table.item(key).map(item -> item.get(REVISION)).orElse(0L));
  }

  /// The increment, to be written with the item that is added.
  public Write next() {
    return REGISTER
        .change(key)
        .set(REVISION, revision + 1)
        .when("(attribute_not_exists(#revision) OR #revision = :seen)")
        .with("seen", REVISION, revision)
        .update();
  }
}
