package agentsessions.runner.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The SHA-256 checksum of a stream, in hexadecimal.
public final class Digest {
  private Digest() {}

  public static String of(InputStream content) throws IOException {
    DigestInputStream read = reading(content);
    read.transferTo(OutputStream.nullOutputStream());
    return hex(read);
  }

  public static DigestInputStream reading(InputStream content) {
    try {
      return new DigestInputStream(content, MessageDigest.getInstance("SHA-256"));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static String hex(DigestInputStream read) {
    return HexFormat.of().formatHex(read.getMessageDigest().digest());
  }
}
