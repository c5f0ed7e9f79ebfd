package agentsessions.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import agentsessions.authorizer.Keys;
import agentsessions.local.front.SignIn;
import agentsessions.local.machine.DataFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;

/// The keys that are made for whoever signs in to the console by a code, the printed one or one
/// that was asked for since: one at a time, for seven days, with all scopes.
///
/// A code that was asked for lies in the data folder until it is used: who can write there can read
/// the key of the workspace as well.
final class ConsoleKeys {
  private static final String LATER = "sign-in";
  private static final int CODE_BYTES = 24;

  private final Keys keys;
  private final Path later;
  private final Clock clock = Clock.systemUTC();
  private final String code = freshCode();

  /// @param data the folder of the service
  ConsoleKeys(Keys keys, Path data) {
    this.keys = keys;
    this.later = data.resolve(LATER);
  }

  String code() {
    return code;
  }

  SignIn byCode() {
    return new SignIn(code, this::isLater, this::replaced, clock);
  }

  /// The link that a code makes.
  static String link(URI service, String code) {
    return service + "/console/#sign-in=" + code;
  }

  /// Makes another code for the service of a data folder, in place of one made so before.
  static String another(Path data) {
    String code = freshCode();
    DataFolder.keepSecret(data.resolve(LATER), code);
    return code;
  }

  /// Whether it is the code that was asked for, which is then used.
  boolean isLater(String shown) {
    try {
      String known = Files.readString(later).strip();
      Instant end = Files.getLastModifiedTime(later).toInstant().plus(SignIn.GOOD_FOR);
      return MessageDigest.isEqual(shown.getBytes(UTF_8), known.getBytes(UTF_8))
          && !known.isEmpty()
          && clock.instant().isBefore(end)
          && Files.deleteIfExists(later);
    } catch (IOException absent) {
      return false;
    }
  }

  private static String freshCode() {
    byte[] bytes = new byte[CODE_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private Optional<SignIn.Made> replaced() {
    Instant end = clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(Keys.SIGNED_IN);
    return keys.signIn(LocalService.WORKSPACE, end).map(key -> new SignIn.Made(key.text(), end));
  }
}
