package agentsessions.authorizer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// An API key as its holder keeps it: `ask_<id>_<secret>_<checksum>`, all in base 62. The id (16
/// digits) names the record, the secret (43 digits, 256 bits) is known to the holder only, the
/// checksum (6 digits, CRC-32 of all before it) lets a scanner or this service refuse a typing
/// error unseen.
public record ApiKey(String id, String secret) {
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final Pattern FORM =
      Pattern.compile("(ask_([0-9A-Za-z]{16})_([0-9A-Za-z]{43}))_([0-9A-Za-z]{6})");

  /// A new random key.
  public static ApiKey create() {
    return new ApiKey(randomDigits(16), randomDigits(43));
  }

  /// The key that a text spells; empty unless form and checksum are right.
  public static Optional<ApiKey> parse(String text) {
    Matcher parts = FORM.matcher(text);
    return parts.matches() && checksum(parts.group(1)).equals(parts.group(4))
        ? Optional.of(new ApiKey(parts.group(2), parts.group(3)))
        : Optional.empty();
  }

  /// The whole key, to be shown once and never kept.
  public String text() {
    String body = "ask_" + id + "_" + secret;
    return body + "_" + checksum(body);
  }

  /// The hash by which the secret is recorded, in Base64. The secret has 256 random bits, so a slow
  /// hash would protect nothing more.
  String secretHash() {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder().encodeToString(sha256.digest(secret.getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Random digits of base 62. The generator is made at each call, never before a snapshot.
  static String randomDigits(int count) {
    return new SecureRandom()
        .ints(count, 0, DIGITS.length())
        .mapToObj(digit -> DIGITS.substring(digit, digit + 1))
        .collect(joining());
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(US_ASCII));
    char[] digits = new char[6];
    long rest = crc.getValue();
    for (int i = 5; i >= 0; i--, rest /= 62) {
      digits[i] = DIGITS.charAt((int) (rest % 62));
    }
    return new String(digits);
  }

  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "ask_" + id;
  }
}
