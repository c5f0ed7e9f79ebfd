package agentsessions.turn.intake;

import agentsessions.session.Turn;
import agentsessions.session.input.InputFile;
import agentsessions.table.Write;
import agentsessions.table.item.InputFileItem;
import agentsessions.table.item.TurnItem;
import java.util.ArrayList;
import java.util.List;

/// The writes of every accepted turn, whether it waits or not: itself, and the files that came with
/// its message.
final class NewTurn {
  static List<Write> writes(Turn turn, List<InputFile> files) {
    List<Write> writes = new ArrayList<>(List.of(TurnItem.put(turn).put()));
    if (!files.isEmpty()) {
      writes.add(InputFileItem.put(turn.key(), files).put());
    }
    return writes;
  }

  private NewTurn() {}
}
