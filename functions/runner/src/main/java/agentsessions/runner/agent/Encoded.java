package agentsessions.runner.agent;

/// The encoded length of a text in a request to the service: a string in a JSON body, which on AWS
/// becomes a string in the JSON of an event, where quotes and control characters are escaped once
/// more.
public final class Encoded {
  private static final int ESCAPED_BY_NUMBER = 7;
  private static final int QUOTED = 4;
  private static final int ESCAPED_BY_LETTER = 3;

  private Encoded() {}

  /// The longest beginning of a text that takes at most so many bytes.
  public static String clip(String text, long bytes) {
    long taken = 0;
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      taken += bytes(text.codePointAt(at));
      if (taken > bytes) {
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
}
