package agentsessions.runner.capture;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/// A stream whose reading fails once its bytes are not wanted any more, so that a follow-up need
/// not wait until a large file has been read.
final class CancellableStream extends FilterInputStream {
  private final BooleanSupplier wanted;

  CancellableStream(InputStream stream, BooleanSupplier wanted) {
    super(stream);
    this.wanted = wanted;
  }

  @Override
  public int read() throws IOException {
    check();
    return super.read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    check();
    return super.read(buffer, offset, length);
  }

  private void check() throws IOException {
    if (!wanted.getAsBoolean()) {
      throw new IOException("not wanted any more");
    }
  }
}
