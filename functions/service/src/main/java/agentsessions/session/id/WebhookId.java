package agentsessions.session.id;

import java.util.Optional;
import java.util.UUID;

/// Names one webhook; the webhook of a single session has that session's id.
public record WebhookId(UUID value) {
  public static Optional<WebhookId> parse(String text) {
    return Uuids.parse(text).map(WebhookId::new);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
