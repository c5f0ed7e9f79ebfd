package agentsessions.turn;

import agentsessions.session.Message;
import agentsessions.session.Turn;
import agentsessions.store.message.CountedTurn;
import agentsessions.store.message.MessageCopies;
import agentsessions.table.Change;
import agentsessions.table.Layout;
import agentsessions.table.Write;
import java.util.ArrayList;
import java.util.List;

/// The writes for the message with which a turn begins: the message and its copy, the turn's
/// message counters, and the pointer of a working session.
public final class MessageWrites {
  public static List<Write> of(Turn turn, Message message) {
    List<Write> writes = new ArrayList<>(MessageCopies.put(message, 0));
    writes.add(CountedTurn.begun(message));
    writes.add(
        Change.of(Layout.working(turn.key().sessionKey(), turn.stamps().sessionCreated()))
            .overwrite());
    return writes;
  }

  private MessageWrites() {}
}
