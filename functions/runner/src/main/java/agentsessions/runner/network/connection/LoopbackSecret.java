package agentsessions.runner.network.connection;

import java.security.SecureRandom;
import java.util.HexFormat;

/// The secret that callers of a listener on loopback have to send, since other processes can reach
/// it as well.
public final class LoopbackSecret {
  private static final SecureRandom RANDOM = new SecureRandom();

  private LoopbackSecret() {}

  /// A random secret of 128 bits.
  public static String random() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
