package agentsessions.table.item;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.table.Item;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A turn with the results that its item holds: the number of artifacts, and the closing message if
/// it is short.
public record TurnRow(Turn turn, int artifacts, @Nullable String reply) {
  /// The longest reply that is stored with the turn, in bytes of UTF-8, so that reading both costs
  /// one read unit. A longer one is stored only as a message.
  public static final int REPLY_BYTES = 2_048;

  public static TurnRow of(Item item) {
    return new TurnRow(
        TurnItem.read(item), item.get(TurnItem.ARTIFACTS, 0), item.find(TurnItem.REPLY));
  }

  /// The closing message, if it is in this row.
  public Optional<Message> closing() {
    return Optional.ofNullable(reply)
        .map(text ->
            new Message(
                turn.key(),
                MessageKind.FINAL,
                turn.lastStamp(),
                0,
                new Message.Text.Inline(text),
                turn.status()));
  }
}
