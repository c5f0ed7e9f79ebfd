package agentsessions.local;

import agentsessions.authorizer.Keys;
import agentsessions.local.front.SignIn;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;

/// The keys that are made for whoever signs in to the console by the printed code: one at a time,
/// for seven days, with all scopes.
final class ConsoleKeys {
  private static final int CODE_BYTES = 24;

  private final Keys keys;
  private final Clock clock = Clock.systemUTC();
  private final String code = code(new SecureRandom());

  ConsoleKeys(Keys keys) {
    this.keys = keys;
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
    Instant end = clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(Keys.SIGNED_IN);
    return keys.signIn(LocalService.WORKSPACE, end).map(key -> new SignIn.Made(key.text(), end));
  }
}
