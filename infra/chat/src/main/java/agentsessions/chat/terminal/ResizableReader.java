package agentsessions.chat.terminal;

import java.util.Map;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;

/// A line reader that redraws the input line when the terminal is resized.
///
/// JLine's own reader redraws from the cursor's row on, so rows above it, of the prompt or of a
/// long line, are left on the screen and its row count becomes wrong. Terminals rewrap the screen's
/// lines at another width; this class counts the rows above the cursor by the same rule.
final class ResizableReader extends LineReaderImpl {
  ResizableReader(Terminal terminal) {
    super(terminal, "chat", Map.of());
  }

  /// Replaces the prompt in front of the typed text.
  ///
  /// @return false if no line is being read, or if a resize is not handled yet, so that drawing
  ///   would go wrong
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
      display = new Display(terminal, false); // the known state of the screen is outdated
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
