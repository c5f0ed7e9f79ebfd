package agentsessions.table.item;

import agentsessions.session.id.TurnKey;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;

/// The item of a message whose turn waits. It becomes a message of the history when the turn
/// begins; that of a turn which was cancelled before stays as it is.
public final class WaitingMessageItem {
  private static final Schema SCHEMA = new Schema();
  private static final Attribute<String> TEXT = SCHEMA.attribute("text", AttributeFormat.TEXT);

  public static Change put(TurnKey turn, String text) {
    return SCHEMA.change(Layout.waiting(turn)).set(TEXT, text);
  }

  public static String text(Item item) {
    return item.get(TEXT);
  }

  private WaitingMessageItem() {}
}
