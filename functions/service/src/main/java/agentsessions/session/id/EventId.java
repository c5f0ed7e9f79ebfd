package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names one webhook event, and the delivery of it to each webhook: the header `webhook-id`.
public record EventId(UUID value) {
  public static Optional<EventId> parse(String text) {
    return Uuids.parse(text).map(EventId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
