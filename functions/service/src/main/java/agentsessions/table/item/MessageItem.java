package agentsessions.table.item;

import agentsessions.session.Message;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.BroughtFile;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The item of a message, whose kind and stamp are in its key.
public final class MessageItem {
  private static final ItemSchema<Message> SCHEMA =
      new ItemSchema<>(
          message -> Layout.message(message.turn().sessionKey(), message.kind(), message.stamp()),
          MessageItem::message);
  public static final Attribute<TurnId> TURN =
      SCHEMA.part("turn", AttributeFormat.TURN, Message::turnId);
  public static final Attribute<Integer> NUMBER =
      SCHEMA.part("n", AttributeFormat.COUNT, Message::number);

  /// The event's number among those of its kind in its turn, from 0.
  public static final Attribute<Integer> NUMBER_IN_KIND =
      SCHEMA.attribute("m", AttributeFormat.COUNT);

  public static final Attribute<String> TEXT =
      SCHEMA.part(
          "text",
          AttributeFormat.TEXT,
          message -> message.text() instanceof Message.Text.Inline inline ? inline.value() : null);
  public static final Attribute<String> OBJECT =
      SCHEMA.part("object", AttributeFormat.TEXT, MessageItem::object);
  public static final Attribute<TurnStatus> OUTCOME =
      SCHEMA.part("outcome", AttributeFormat.name(TurnStatus.class), Message::outcome);
  public static final Attribute<List<BroughtFile>> FILES =
      SCHEMA.part("files", BroughtFileMap.LIST, MessageItem::files);

  public static Message read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Message message) {
    return SCHEMA.put(message);
  }

  private static Message message(Item item) {
    Layout.Key key = item.key();
    return new Message(
        key.sessionKey().turn(item.get(TURN)),
        key.kind(),
        key.stamp(),
        item.get(NUMBER, 0),
        text(item),
        item.find(OUTCOME),
        item.get(FILES, List.of()));
  }

  public static Message.Text text(Item item) {
    String object = item.find(OBJECT);
    return object == null
        ? new Message.Text.Inline(item.get(TEXT, ""))
        : new Message.Text.Stored(object);
  }

  public static @Nullable List<BroughtFile> files(Message message) {
    return message.files().isEmpty() ? null : message.files();
  }

  public static @Nullable String object(Message message) {
    return message.text() instanceof Message.Text.Stored stored ? stored.objectKey() : null;
  }

  private MessageItem() {}
}
