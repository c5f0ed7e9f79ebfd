package agentsessions.client.terminal;

import java.util.Map;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;

/// A line reader that draws what is typed anew when the terminal changes its size.
///
/// JLine's own draws from the cursor's row on, so that rows above it, of the prompt or of a long
/// line, stay behind, and it then loses count of its rows. Terminals wrap what is on the screen
/// anew for another width; by the same count the rows above the cursor are found here.
final class ResizableReader extends LineReaderImpl {
  ResizableReader(Terminal terminal) {
    super(terminal, "chat", Map.of());
  }

  /// Shows another prompt in front of what is typed.
  ///
  /// @return false if nobody is asked for a line, or the terminal has just got a size that is not
  ///   known of yet, for which nothing can be drawn rightly
  boolean changePrompt(String text) {
    lock.lock();
    try {
      boolean possible = reading && size.getColumns() == terminal.getBufferSize().getColumns();
      if (possible) {
        setPrompt(text);
        redisplay();
      }
      return possible;
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected synchronized void handleSignal(Signal signal) {
    if (signal == Signal.WINCH) {
      resized();
    } else {
      super.handleSignal(signal);
    }
  }

  private void resized() {
    lock.lock();
    try {
      size.copy(terminal.getBufferSize());
      clear(rowsAboveCursor());
      display = new Display(terminal, false); // what is known of the screen no longer holds
      display.resize(size.getRows(), size.getColumns());
      redisplay();
    } finally {
      lock.unlock();
    }
  }

  private int rowsAboveCursor() {
    AttributedString typed =
        new AttributedStringBuilder().append(prompt).append(buf.upToCursor()).toAttributedString();
    return typed.columnSplitLength(Math.max(1, size.getColumns()), true, true).size() - 1;
  }

  private void clear(int rows) {
    terminal.puts(Capability.carriage_return);
    if (rows > 0) {
      terminal.puts(Capability.parm_up_cursor, rows);
    }
    terminal.puts(Capability.clr_eos);
  }
}
