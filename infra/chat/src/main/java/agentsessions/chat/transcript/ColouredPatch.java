package agentsessions.chat.transcript;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/// A patch in git's colours.
final class ColouredPatch {
  private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;

  private ColouredPatch() {}

  /// Colours a patch. The lines between `diff --git` and the first `@@` are the file's header.
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
