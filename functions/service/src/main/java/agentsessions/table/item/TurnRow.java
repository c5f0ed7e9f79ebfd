package agentsessions.table.item;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Turn;
import agentsessions.table.Item;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A turn with what its ending left beside it: how many artifacts it recorded, and its reply, where
/// that is short.
public record TurnRow(Turn turn, int artifacts, @Nullable String reply) {
  /// The longest reply that is written with the turn, in bytes of UTF-8: so both are one unit to
  /// read. A longer one is a message only.
  public static final int REPLY_BYTES = 2_048;

  public static TurnRow of(Item item) {
    return new TurnRow(
        TurnItem.read(item), item.get(TurnItem.ARTIFACTS, 0), item.find(TurnItem.REPLY));
  }

  /// The closing message, where it is known without another read.
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
