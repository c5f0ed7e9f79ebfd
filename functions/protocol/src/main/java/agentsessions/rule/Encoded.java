package agentsessions.rule;

/// The size of a text in an answer as a function gives it to the gateway: a string in JSON, which
/// is itself a string in JSON, so that quotes and control characters are escaped twice.
public final class Encoded {
  /// The most that one text may take of the 6 MB of an answer.
  public static final long MOST = 5 * 1024 * 1024;

  private static final int ESCAPED_BY_NUMBER = 7;
  private static final int QUOTED = 4;
  private static final int ESCAPED_BY_LETTER = 3;

  public static long bytes(String text) {
    return text.codePoints().mapToLong(Encoded::bytes).sum();
  }

  /// The longest beginning of whole characters that takes at most so many bytes.
  public static String clip(String text, long most) {
    long taken = 0;
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      taken += bytes(text.codePointAt(at));
      if (taken > most) {
        return text.substring(0, at);
      }
    }
    return text;
  }

  private static int bytes(int character) {
    return switch (character) {
      case '"', '\\' -> QUOTED;
      case '\n', '\r', '\t', '\b', '\f' -> ESCAPED_BY_LETTER;
      default -> character < ' ' ? ESCAPED_BY_NUMBER : utf8(character);
    };
  }

  private static int utf8(int character) {
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  }

  private Encoded() {}
}
