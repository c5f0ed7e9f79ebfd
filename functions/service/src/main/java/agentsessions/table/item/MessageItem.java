package agentsessions.table.item;

import agentsessions.session.Message;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.TurnId;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The item of a message; its kind and its stamp are its key.
public final class MessageItem {
  public static final Attribute<Message, UUID> TURN =
      new Attribute<>("turn", Kept.ID, message -> message.turnId().value());
  public static final Attribute<Message, Long> NUMBER =
      new Attribute<>("n", Kept.NUMBER, message -> (long) message.number());
  private static final Attribute<Message, String> TEXT =
      new Attribute<>(
          "text",
          Kept.TEXT,
          message -> message.text() instanceof Message.Text.Inline inline ? inline.value() : null);
  public static final Attribute<Message, String> OBJECT =
      new Attribute<>(
          "object",
          Kept.TEXT,
          message ->
              message.text() instanceof Message.Text.Stored stored ? stored.objectKey() : null);
  public static final Attribute<Message, String> OUTCOME =
      new Attribute<>("outcome", Kept.TEXT, MessageItem::outcome);

  private static final Kind<Message> KIND =
      new Kind<>(
          Message.class,
          message -> Layout.message(message.turn().session(), message.kind(), message.stamp()),
          MessageItem::message,
          List.of(TURN, NUMBER, TEXT, OBJECT, OUTCOME));

  public static Message read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Message message) {
    return KIND.put(message);
  }

  private static Message message(Layout.Key key, Parts parts) {
    return new Message(
        key.session().turn(new TurnId(parts.get(TURN))),
        key.kind(),
        key.stamp(),
        parts.count(NUMBER),
        text(parts, parts.get(TEXT, "")),
        outcome(parts));
  }

  public static Message.Text text(Parts parts, String inline) {
    String object = parts.find(OBJECT);
    return object == null ? new Message.Text.Inline(inline) : new Message.Text.Stored(object);
  }

  public static @Nullable TurnStatus outcome(Parts parts) {
    String outcome = parts.find(OUTCOME);
    return outcome == null ? null : TurnStatus.valueOf(outcome);
  }

  private static @Nullable String outcome(Message message) {
    TurnStatus outcome = message.outcome();
    return outcome == null ? null : outcome.name();
  }

  private MessageItem() {}
}
