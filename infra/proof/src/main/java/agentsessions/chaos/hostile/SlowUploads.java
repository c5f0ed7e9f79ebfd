package agentsessions.chaos.hostile;

import java.io.IOException;
import java.net.URI;

/// Somebody without a key, who begins uploads that nobody has signed at a port that others reach,
/// and never goes on: more of them than there are connections (S-M1).
final class SlowUploads implements AutoCloseable {
  private static final int COUNT = 1_100;
  private static final int ROUNDS = 2;

  private static final String BEGINNING =
      """
      PUT /agent-sessions/uploads/x HTTP/1.1\r
      Host: h\r
      Content-Length: 1000000\r
      \r
      """
          + "x".repeat(24);

  private final int api;
  private final HeldConnections held = new HeldConnections();

  SlowUploads(URI api) {
    this.api = api.getPort();
  }

  /// One more round; those of the last two are held.
  void round() throws IOException {
    held.open(api, COUNT, BEGINNING);
    held.keep(ROUNDS);
  }

  @Override
  public void close() throws IOException {
    held.close();
  }
}
