package agentsessions.local.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/// A random path prefix that authenticates the callers of a loopback server, to which any local
/// user could connect.
///
/// It is part of the address because every client can be configured with one. An access key id
/// would not do, since it is visible in links.
public final class SecretPath {
  private static final int BYTES = 32;

  private final String text;

  private SecretPath(String text) {
    this.text = text;
  }

  public static SecretPath random() {
    byte[] secret = new byte[BYTES];
    new SecureRandom().nextBytes(secret);
    return new SecretPath("/" + HexFormat.of().formatHex(secret));
  }

  /// The prefix, to be put behind host and port; it is a secret.
  public String text() {
    return text;
  }

  /// The rest of a path after the prefix; empty without it. The comparison takes constant time.
  public Optional<String> below(String path) {
    int end = Math.min(text.length(), path.length());
    return MessageDigest.isEqual(bytes(text), bytes(path.substring(0, end)))
        ? Optional.of(path.substring(end))
        : Optional.empty();
  }

  /// Leaves the secret out, so that no log can hold it.
  @Override
  public String toString() {
    return "/…";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
