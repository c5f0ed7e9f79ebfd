package agentsessions.api.request;

import agentsessions.session.Refusal;
import agentsessions.session.id.Sha256;
import agentsessions.session.id.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/// A page cursor: the last position of a page, bound to its request by a hash of path and filters.
/// It can be used again, but not with other filters.
public record Cursor(String place) {
  private static final int BINDING = 9;

  /// A stamp, an id, or a position in a list. It is checked because the binding is no secret:
  /// anyone can make a cursor.
  private static final Pattern PLACE = Pattern.compile("[0-9a-f#-]{1,53}");

  public static Cursor read(String text, String binding) {
    byte[] bytes = decoded(text);
    byte[] expected = hash(binding);
    if (bytes.length <= BINDING || !Arrays.equals(bytes, 0, BINDING, expected, 0, BINDING)) {
      throw refused();
    }
    String place = new String(bytes, BINDING, bytes.length - BINDING, StandardCharsets.UTF_8);
    if (!PLACE.matcher(place).matches()) {
      throw refused();
    }
    return new Cursor(place);
  }

  static Refusal refused() {
    return Refusal.invalid("cursor", "must come from a page with the same filters");
  }

  public Stamp stamp() {
    if (!place.matches("[0-9]{1,16}")) {
      throw refused();
    }
    return new Stamp(Long.parseLong(place));
  }

  public String text(String binding) {
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
    return Arrays.copyOf(Sha256.of(binding), BINDING);
  }
}
