package agentsessions.turn.intake;

import agentsessions.session.Message;
import agentsessions.session.Turn;
import agentsessions.session.input.InputFile;
import agentsessions.store.message.CountedTurn;
import agentsessions.store.message.MessageCopies;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import agentsessions.table.item.InputFileItem;
import agentsessions.table.item.TurnItem;
import java.util.ArrayList;
import java.util.List;

/// The writes of every accepted message: its turn, the message and its copy, the turn's message
/// counters, the pointer of a working session, and the files that came with it.
final class MessageWrites {
  static List<Write> of(Turn turn, String message, List<InputFile> files) {
    List<Write> writes = new ArrayList<>();
    Message said = Message.ofUser(turn.receipt(), message);
    writes.add(TurnItem.put(turn).put());
    writes.addAll(MessageCopies.put(said, 0));
    writes.add(CountedTurn.begun(said));
    writes.add(
        Change.of(Layout.working(turn.key().sessionKey(), turn.stamps().sessionCreated()))
            .overwrite());
    if (!files.isEmpty()) {
      writes.add(InputFileItem.put(turn.key(), files).put());
    }
    return writes;
  }

  private MessageWrites() {}
}
