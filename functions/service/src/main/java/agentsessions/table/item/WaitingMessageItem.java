package agentsessions.table.item;

import agentsessions.session.Message;
import agentsessions.session.Receipt;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.BroughtFile;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import java.util.List;

/// The item of a message whose turn waits. It becomes a message of the history when the turn
/// begins; that of a turn which was cancelled before stays as it is.
public final class WaitingMessageItem {
  private static final Schema SCHEMA = new Schema();
  private static final Attribute<String> TEXT = SCHEMA.attribute("text", AttributeFormat.TEXT);
  private static final Attribute<List<BroughtFile>> FILES =
      SCHEMA.attribute("files", BroughtFileMap.LIST);

  public static Change put(TurnKey turn, String text, List<BroughtFile> files) {
    Change change = SCHEMA.change(Layout.waiting(turn)).set(TEXT, text);
    return files.isEmpty() ? change : change.set(FILES, files);
  }

  /// The message of a turn with this receipt.
  public static Message message(Item item, Receipt receipt) {
    return Message.ofUser(receipt, item.get(TEXT), item.get(FILES, List.of()));
  }

  private WaitingMessageItem() {}
}
