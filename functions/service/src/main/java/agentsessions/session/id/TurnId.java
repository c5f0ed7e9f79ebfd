package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names a turn, which the API calls a thread: a time-ordered UUID, so that turns sort by it.
public record TurnId(UUID value) {
  public static Optional<TurnId> parse(String text) {
    return Uuids.parse(text).map(TurnId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
