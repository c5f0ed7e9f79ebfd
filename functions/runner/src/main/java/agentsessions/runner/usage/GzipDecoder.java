package agentsessions.runner.usage;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.http.GZIPContentDecoder;
import org.eclipse.jetty.io.RetainableByteBuffer;

/// A gzip decoder for a response that was compressed although no compression was requested, fed
/// piece by piece.
final class GzipDecoder {
  private static final int PIECE = 8192;

  private final GZIPContentDecoder decoder = new GZIPContentDecoder(PIECE);
  private final Consumer<ByteBuffer> plain;
  private boolean broken;

  GzipDecoder(Consumer<ByteBuffer> plain) {
    this.plain = plain;
  }

  void accept(ByteBuffer bytes) {
    while (bytes.hasRemaining() && !broken) {
      try {
        inflate(bytes);
      } catch (RuntimeException notCompressed) {
        broken = true;
      }
    }
  }

  void close() {
    decoder.destroy();
  }

  private void inflate(ByteBuffer bytes) {
    RetainableByteBuffer piece = decoder.decode(bytes);
    try {
      plain.accept(piece.getByteBuffer());
    } finally {
      piece.release();
    }
  }
}
