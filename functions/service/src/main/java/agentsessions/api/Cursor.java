package agentsessions.api;

import agentsessions.session.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/// Where a page ended: the last place given out, bound to the request it came from by a hash of its
/// path and filters. It can be replayed, and is useless with other filters.
record Cursor(String place) {
  private static final int BINDING = 9;

  static Cursor read(String text, String binding) {
    byte[] bytes = decoded(text);
    byte[] expected = hash(binding);
    if (bytes.length <= BINDING || !Arrays.equals(bytes, 0, BINDING, expected, 0, BINDING)) {
      throw Refusal.invalid("cursor", "must come from a page with the same filters");
    }
    return new Cursor(new String(bytes, BINDING, bytes.length - BINDING, StandardCharsets.UTF_8));
  }

  String text(String binding) {
    byte[] bytes = place.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(hash(binding), BINDING + bytes.length);
    System.arraycopy(bytes, 0, all, BINDING, bytes.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException malformed) {
      return new byte[0];
    }
  }

  private static byte[] hash(String binding) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(binding.getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(hash, BINDING);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
