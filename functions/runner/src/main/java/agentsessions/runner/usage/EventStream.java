package agentsessions.runner.usage;

import java.nio.charset.StandardCharsets;

/// A parser of a `text/event-stream`, byte by byte: tells which bytes are data, and where an event
/// ends.
final class EventStream {
  private static final byte[] DATA = "data:".getBytes(StandardCharsets.US_ASCII);

  private int matched;
  private boolean lineIsEmpty = true;
  private boolean afterReturn;

  /// The kind of a byte.
  enum Kind {
    /// A byte of an event's data.
    DATA,
    /// The last byte of an event.
    END,
    OTHER
  }

  Kind kind(byte next) {
    boolean isSecondHalf = afterReturn && next == '\n';
    afterReturn = next == '\r';
    if (isSecondHalf) {
      return Kind.OTHER;
    }
    return next == '\n' || next == '\r' ? endOfLine() : inLine(next);
  }

  private Kind endOfLine() {
    Kind kind = lineIsEmpty ? Kind.END : Kind.OTHER;
    lineIsEmpty = true;
    matched = 0;
    return kind;
  }

  private Kind inLine(byte next) {
    lineIsEmpty = false;
    if (matched == DATA.length) {
      return Kind.DATA;
    }
    matched = matched >= 0 && next == DATA[matched] ? matched + 1 : -1;
    return Kind.OTHER;
  }
}
