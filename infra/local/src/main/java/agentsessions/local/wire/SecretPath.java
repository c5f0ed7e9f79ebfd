package agentsessions.local.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/// The beginning of all paths of a server that any local user can connect to, known only to those
/// who were told its address.
///
/// In the address, since every client takes one, and since an access key id will not do: it stands
/// in links.
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

  /// To be put behind host and port; it is a secret.
  public String text() {
    return text;
  }

  /// What comes after it in a path, if that begins with it; compared in constant time.
  public Optional<String> below(String path) {
    int end = Math.min(text.length(), path.length());
    return MessageDigest.isEqual(bytes(text), bytes(path.substring(0, end)))
        ? Optional.of(path.substring(end))
        : Optional.empty();
  }

  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "/…";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
