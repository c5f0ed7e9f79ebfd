package agentsessions.runner.usage;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.http.GZIPContentDecoder;
import org.eclipse.jetty.io.RetainableByteBuffer;

/// Takes the compression from an answer that was compressed although nobody asked for it, in pieces
/// as they come.
final class Inflated {
  private static final int PIECE = 8192;

  private final GZIPContentDecoder decoder = new GZIPContentDecoder(PIECE);
  private final Consumer<ByteBuffer> plain;
  private boolean broken;

  Inflated(Consumer<ByteBuffer> plain) {
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
