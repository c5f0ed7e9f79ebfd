package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names a turn, which the API calls a thread: a time-ordered UUID, so that turns sort by it. The
/// turns of a session sort in the order in which they begin.
public record TurnId(UUID value) {
  public static Optional<TurnId> parse(String text) {
    return Uuids.parse(text).map(TurnId::new);
  }

  /// The time in the id, in milliseconds since 1970.
  public long millis() {
    return value.getMostSignificantBits() >>> 16;
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
