package agentsessions.session.id;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 digests of texts and bytes.
public final class Sha256 {
  private Sha256() {}

  /// The 32 bytes for a text in UTF-8.
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /// As 64 hexadecimal digits in lower case.
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }

  /// As 64 hexadecimal digits in lower case.
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  private static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /// A digest for content that arrives in pieces.
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
