package agentsessions.local;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.Keys;
import agentsessions.local.front.SignIn;
import agentsessions.local.machine.DataFolder;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/// The keys that are made for whoever signs in to the console by the printed code: one at a time,
/// for seven days.
final class ConsoleKeys {
  private static final Duration LIFE = Duration.ofDays(7);
  private static final int CODE_BYTES = 24;

  /// Holds the id of the key that was made last.
  private static final String FILE = "console-key";

  private final Keys keys;
  private final DataFolder data;
  private final Clock clock = Clock.systemUTC();
  private final String code = code(new SecureRandom());

  ConsoleKeys(Keys keys, DataFolder data) {
    this.keys = keys;
    this.data = data;
  }

  String code() {
    return code;
  }

  SignIn byCode() {
    return new SignIn(code, this::replaced, clock);
  }

  private static String code(SecureRandom random) {
    byte[] bytes = new byte[CODE_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private Optional<SignIn.Made> replaced() {
    data.secret(FILE).ifPresent(id -> keys.revoke(LocalService.WORKSPACE, id));
    Instant end = clock.instant().plus(LIFE);
    Optional<ApiKey> made = keys.create(LocalService.WORKSPACE, end);
    made.ifPresent(key -> data.keepSecret(FILE, key.id()));
    return made.map(key -> new SignIn.Made(key.text(), end));
  }
}
