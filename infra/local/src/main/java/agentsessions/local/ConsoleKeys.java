package agentsessions.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import agentsessions.authorizer.WorkspaceKeys;
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

/// The API keys of console sign-ins. A one-time code, printed at the start or made later by
/// `scripts/keys sign-in`, is exchanged for a key with all scopes that lives for seven days and
/// replaces the one before it.
///
/// A later code is kept in the data folder until it is used. That gives nothing away: a user who
/// can write there can also read the workspace's key.
final class ConsoleKeys {
  private static final String LATER = "sign-in";
  private static final int CODE_BYTES = 24;

  private final WorkspaceKeys keys;
  private final Path later;
  private final Clock clock = Clock.systemUTC();
  private final String code = freshCode();

  /// @param data the service's data folder
  ConsoleKeys(WorkspaceKeys keys, Path data) {
    this.keys = keys;
    this.later = data.resolve(LATER);
  }

  String code() {
    return code;
  }

  SignIn byCode() {
    return new SignIn(code, this::redeem, this::replaced, clock);
  }

  /// The console link that carries a code.
  static String link(URI service, String code) {
    return service + "/console/#sign-in=" + code;
  }

  /// Makes a code for the service of a data folder; it replaces an earlier one made this way.
  static String another(Path data) {
    String code = freshCode();
    DataFolder.keepSecret(data.resolve(LATER), code);
    return code;
  }

  /// Uses up the later code. False if this is not the code, or it is no longer valid.
  boolean redeem(String shown) {
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
    Instant end = clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(WorkspaceKeys.SIGNED_IN);
    return keys.signIn(LocalService.WORKSPACE, end).map(key -> new SignIn.Made(key.text(), end));
  }
}
