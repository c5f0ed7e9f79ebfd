package agentsessions.runner.network.git;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/// A reader of git's pkt-lines: packets with their length in four hexadecimal digits, and their
/// content.
final class Packets {
  private static final int LENGTH = 4;

  private Packets() {}

  /// The content of the next packet; empty for the flush packet that ends a list.
  ///
  /// @throws EOFException if there is none any more, or no packet
  static Optional<byte[]> next(InputStream from) throws IOException {
    int size = size(exactly(from, LENGTH));
    if (size == 0) {
      return Optional.empty();
    }
    if (size < LENGTH) {
      throw new EOFException("not git's protocol");
    }
    return Optional.of(exactly(from, size - LENGTH));
  }

  /// The text of the next packet without its newline; empty for the flush packet that ends a list.
  ///
  /// @throws EOFException if there is none any more, or no packet
  static Optional<String> line(InputStream from) throws IOException {
    return next(from)
        .map(content -> new String(content, StandardCharsets.UTF_8))
        .map(text -> text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
  }

  private static int size(byte[] digits) throws EOFException {
    try {
      return HexFormat.fromHexDigits(new String(digits, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException none) {
      throw new EOFException("not git's protocol");
    }
  }

  private static byte[] exactly(InputStream from, int count) throws IOException {
    byte[] bytes = from.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("git's protocol ended early");
    }
    return bytes;
  }
}
