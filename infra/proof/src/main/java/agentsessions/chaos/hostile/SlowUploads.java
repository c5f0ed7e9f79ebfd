package agentsessions.chaos.hostile;

import java.io.IOException;
import java.net.URI;

/// An attacker without a key that begins unsigned uploads at a port in reach of others and never
/// completes them: more than the port has connections (S-M1).
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

  /// Opens one more round of uploads; those of the last two are held.
  void round() throws IOException {
    held.open(api, COUNT, BEGINNING);
    held.keep(ROUNDS);
  }

  @Override
  public void close() throws IOException {
    held.close();
  }
}
