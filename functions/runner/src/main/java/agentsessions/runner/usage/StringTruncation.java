package agentsessions.runner.usage;

/// A filter that cuts the strings in JSON text to about 1,000 bytes, byte by byte, so that a parser
/// never buffers more. The text stays valid JSON.
final class StringTruncation {
  private static final int KEPT = 1000;

  private boolean inside;
  private boolean dropping;
  private boolean escape;
  private int digits;
  private int length;
  private long dropped;

  /// The number of bytes that were left out.
  long dropped() {
    return dropped;
  }

  void restart() {
    inside = false;
  }

  /// Whether the next byte is kept.
  boolean keeps(byte next) {
    if (!inside) {
      begin(next == '"');
      return true;
    }
    if (isWhole() && next == '"') {
      inside = false;
      return true;
    }
    follow(next);
    if (dropping) {
      dropped++;
    }
    return !dropping;
  }

  private void begin(boolean string) {
    inside = string;
    dropping = false;
    escape = false;
    digits = 0;
    length = 0;
  }

  /// Follows a string; a character or escape sequence is never cut in two.
  private void follow(byte next) {
    length++;
    if (escape) {
      escape = false;
      digits = next == 'u' ? 4 : 0;
    } else if (digits > 0) {
      digits--;
    } else {
      boolean continued = (next & 0xC0) == 0x80;
      dropping |= length > KEPT && !continued;
      escape = next == '\\';
    }
  }

  private boolean isWhole() {
    return !escape && digits == 0;
  }
}
