package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names one webhook; that of a session has the session's own id.
public record WebhookId(UUID value) {
  public static Optional<WebhookId> parse(String text) {
    return Uuids.parse(text).map(WebhookId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
