package agentsessions.session;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Reads UUIDs strictly: `UUID.fromString` would also take `1-1-1-1-1`.
final class Uuids {
  private static final Pattern CANONICAL =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  static Optional<UUID> parse(String text) {
    return CANONICAL.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  private Uuids() {}
}
