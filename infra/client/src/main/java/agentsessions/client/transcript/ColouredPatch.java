package agentsessions.client.transcript;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/// A patch in the colours that git gives it.
final class ColouredPatch {
  private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;

  private ColouredPatch() {}

  /// Between the line of a file and its first `@@`, all is about the file.
  static AttributedString of(String patch) {
    AttributedStringBuilder coloured = new AttributedStringBuilder();
    boolean inside = false;
    for (String line : patch.split("\n", -1)) {
      inside = line.startsWith("@@") || (inside && !line.startsWith("diff --git "));
      coloured.append(coloured.isEmpty() ? "" : "\n").styled(style(line, inside), line);
    }
    return coloured.toAttributedString();
  }

  private static AttributedStyle style(String line, boolean inside) {
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '@' -> PLAIN.foreground(AttributedStyle.CYAN);
      case '+' -> inside ? PLAIN.foreground(AttributedStyle.GREEN) : AttributedStyle.BOLD;
      case '-' -> inside ? PLAIN.foreground(AttributedStyle.RED) : AttributedStyle.BOLD;
      default -> inside ? PLAIN : AttributedStyle.BOLD;
    };
  }
}
