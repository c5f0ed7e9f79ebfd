package agentsessions.table.item;

import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.table.Item;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A turn with the rest that its item holds: the number of artifacts, and the closing message if it
/// is short.
///
/// @param begun false where the turn waits, or was cancelled while it did: its message is no part
///   of the history
public record TurnRow(Turn turn, int artifacts, @Nullable String reply, boolean begun) {
  /// The longest reply that is stored with the turn, in bytes of UTF-8, so that reading both costs
  /// one read unit. A longer one is stored only as a message.
  public static final int REPLY_BYTES = 2_048;

  public static TurnRow of(Item item) {
    return new TurnRow(
        TurnItem.read(item),
        item.get(TurnItem.ARTIFACTS, 0),
        item.find(TurnItem.REPLY),
        !item.flag(TurnItem.WAITS));
  }

  /// The same with what only the session knows of the turn.
  public TurnRow seenFrom(Session session) {
    return new TurnRow(turn.seenFrom(session), artifacts, reply, begun);
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
