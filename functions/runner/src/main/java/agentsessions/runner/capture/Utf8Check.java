package agentsessions.runner.capture;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/// The check whether bytes that come in parts are UTF-8 to their end. A part may end within a
/// character.
public final class Utf8Check {
  private static final int CHARACTER = 4;

  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final CharBuffer text = CharBuffer.allocate(4096);
  private final ByteBuffer begun = ByteBuffer.allocate(CHARACTER);
  private boolean malformed;

  public void add(byte[] bytes, int offset, int length) {
    ByteBuffer part = ByteBuffer.wrap(bytes, offset, length);
    while (begun.position() > 0 && part.hasRemaining() && !malformed) {
      begun.put(part.get());
      decode(begun.flip());
      begun.compact();
    }
    decode(part);
    if (!malformed) {
      begun.put(part);
    }
  }

  /// Whether all that was added is UTF-8, and no character is left unfinished.
  public boolean isUtf8() {
    return !malformed && begun.position() == 0;
  }

  private void decode(ByteBuffer part) {
    CoderResult result = CoderResult.OVERFLOW;
    while (result.isOverflow() && !malformed) {
      text.clear();
      result = decoder.decode(part, text, false);
      malformed = result.isError();
    }
  }
}
