package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names a session; a lower-case UUID on the wire, accepted in any case.
public record SessionId(UUID value) {
  public static Optional<SessionId> parse(String text) {
    return Uuids.parse(text).map(SessionId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
