package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.id.Stamp;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.item.MessageItem;
import java.nio.charset.StandardCharsets;

/// A message as it was read from the table, from its own item or from its copy.
///
/// @param numberInKind an event's number among those of its kind in its turn (`m`)
/// @param isWhole whether it has its text or, for a text in an object, the object's key
/// @param bytes the length of the text in the message's item; -1 if it is not known yet
public record MessageRow(Message message, int numberInKind, boolean isWhole, long bytes) {
  /// The upper bound of a text in an item, in bytes.
  private static final long LONGEST = 300_000;

  static MessageRow of(Item item) {
    return item.key().sk().startsWith(Layout.COPIES)
        ? MessageCopies.row(item)
        : whole(MessageItem.read(item), numberInKind(item));
  }

  static MessageRow whole(Message message, int numberInKind) {
    return new MessageRow(message, numberInKind, true, bytes(message.text()));
  }

  static int numberInKind(Item item) {
    return item.get(MessageItem.NUMBER_IN_KIND, 0);
  }

  public static long bytes(Message.Text text) {
    return switch (text) {
      case Message.Text.Inline inline -> inline.value().getBytes(StandardCharsets.UTF_8).length;
      case Message.Text.Stored _ -> 0;
    };
  }

  long leastBytes() {
    return Math.max(0, bytes);
  }

  long mostBytes() {
    return bytes < 0 ? LONGEST : bytes;
  }

  boolean isAfter(Stamp stamp) {
    return message.stamp().compareTo(stamp) > 0;
  }
}
