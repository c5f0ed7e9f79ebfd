package agentsessions.runner.agent;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Text functions that make an agent's text fit for a request: it may be of any length and need not
/// be valid Unicode.
public final class Utf8 {
  private static final Pattern ANSI =
      Pattern.compile(
          "\u001B(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001B]*(?:\u0007|\u001B\\\\)?|[@-Z\\\\-_])");

  private Utf8() {}

  /// The beginning of a text in at most `bytes` bytes of UTF-8; lone surrogates become `?`.
  public static String clip(String text, int bytes) {
    CharsetEncoder encoder =
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    ByteBuffer room = ByteBuffer.allocate((int) Math.min(bytes, 3L * text.length()));
    encoder.encode(CharBuffer.wrap(text), room, true);
    return new String(room.array(), 0, room.position(), StandardCharsets.UTF_8);
  }

  /// Whether a text is longer than this number of bytes in UTF-8.
  public static boolean exceeds(String text, int bytes) {
    return text.length() > bytes
        || (3L * text.length() > bytes && text.getBytes(StandardCharsets.UTF_8).length > bytes);
  }

  /// The text without a terminal's escape sequences (colours and cursor movements).
  public static String plain(String text) {
    return ANSI.matcher(text).replaceAll("").strip();
  }
}
