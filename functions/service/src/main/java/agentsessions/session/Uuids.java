package agentsessions.session;

import java.util.Optional;
import java.util.UUID;

/// Reads UUIDs strictly: `UUID.fromString` would also take `1-1-1-1-1`.
final class Uuids {
  static Optional<UUID> parse(String text) {
    try {
      return Optional.of(UUID.fromString(text)).filter(id -> id.toString().equalsIgnoreCase(text));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private Uuids() {}
}
