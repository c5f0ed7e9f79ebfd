package agentsessions.store.message;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import agentsessions.table.item.MessageItem;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Copies of user, final and progress messages, in one range by stamp. By these the usual page
/// takes one query, while the messages themselves take three, one for each kind. A copy is written
/// in the transaction of its message. A text of more than 4 KiB is not copied; the copy gives its
/// length, and the text is read from the message.
///
/// Why: decision 009; why not in place of the messages: decision 025.
public final class MessageCopies {
  /// The kinds that are copied. Tool calls are not, since most of them are never read.
  static final Set<MessageKind> KINDS =
      EnumSet.of(MessageKind.USER, MessageKind.FINAL, MessageKind.PROGRESS);

  private static final int TEXT_BYTES = 4 * 1024;

  private static final ItemSchema<Message> COPY =
      new ItemSchema<>(
              message -> Layout.copy(message.turn().sessionKey(), message.stamp()),
              MessageCopies::message)
          .also(MessageItem.TURN, Message::turnId)
          .also(MessageItem.NUMBER, Message::number)
          .also(MessageItem.NUMBER_IN_KIND, _ -> null)
          .also(MessageItem.TEXT, MessageCopies::shortText)
          .also(MessageItem.OBJECT, MessageItem::object)
          .also(MessageItem.OUTCOME, Message::outcome)
          .also(MessageItem.FILES, MessageItem::files);
  private static final Attribute<MessageKind> KIND =
      COPY.part("kind", AttributeFormat.name(MessageKind.class), Message::kind);

  /// The length of a text that is not copied, so that a page knows how many it has room for.
  private static final Attribute<Long> BYTES =
      COPY.part("bytes", AttributeFormat.NUMBER, MessageCopies::longText);

  /// The writes of a message and, if its kind is copied, of its copy.
  ///
  /// @param numberInKind the number of messages of the same kind before it in the turn
  public static List<Write> put(Message message, int numberInKind) {
    boolean isEvent = MessageKind.EVENTS.contains(message.kind());
    List<Change> rows = new ArrayList<>(List.of(MessageItem.put(message)));
    if (KINDS.contains(message.kind())) {
      rows.add(COPY.put(message));
    }
    return rows.stream()
        .map(row -> (isEvent ? row.set(MessageItem.NUMBER_IN_KIND, numberInKind) : row).put())
        .toList();
  }

  static MessageRow row(Item item) {
    Message message = COPY.read(item);
    return item.has(MessageItem.TEXT) || item.has(MessageItem.OBJECT)
        ? MessageRow.whole(message, MessageRow.numberInKind(item))
        : new MessageRow(message, MessageRow.numberInKind(item), false, item.get(BYTES));
  }

  private static Message message(Item item) {
    return new Message(
        item.key().sessionKey().turn(item.get(MessageItem.TURN)),
        item.get(KIND),
        item.key().copied(),
        item.get(MessageItem.NUMBER, 0),
        MessageItem.text(item),
        item.find(MessageItem.OUTCOME),
        item.get(MessageItem.FILES, List.of()));
  }

  private static @Nullable String shortText(Message message) {
    return message.text() instanceof Message.Text.Inline(String text) && longText(message) == null
        ? text
        : null;
  }

  private static @Nullable Long longText(Message message) {
    long bytes = MessageRow.bytes(message.text());
    return bytes > TEXT_BYTES ? bytes : null;
  }

  private MessageCopies() {}
}
