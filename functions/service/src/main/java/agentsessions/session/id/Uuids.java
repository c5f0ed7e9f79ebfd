package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Reads UUIDs strictly: `UUID.fromString` would also take `1-1-1-1-1`.
public final class Uuids {
  public static Optional<UUID> parse(String text) {
    try {
      return Optional.of(UUID.fromString(text)).filter(id -> id.toString().equalsIgnoreCase(text));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private Uuids() {}
}
