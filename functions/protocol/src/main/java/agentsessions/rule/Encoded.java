package agentsessions.rule;

/// The encoded size of a text in a Lambda response, in bytes. The response body is JSON, and the
/// function hands it to the gateway as a string in JSON, so quotes and control characters are
/// escaped twice.
public final class Encoded {
  /// The most bytes of one encoded text; Lambda allows 6 MB for the whole response.
  public static final long MOST = 5 * 1024 * 1024;

  private static final int ESCAPED_BY_NUMBER = 7;
  private static final int QUOTED = 4;
  private static final int ESCAPED_BY_LETTER = 3;

  public static long bytes(String text) {
    return text.codePoints().mapToLong(Encoded::bytes).sum();
  }

  /// The longest prefix of whole characters whose encoded size is at most `most` bytes.
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
