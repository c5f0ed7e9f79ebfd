package agentsessions.session.webhook;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// A webhook that names no types receives those that there were when it was made.
class EditionsTest {
  @Test
  void aTypeThatCameLaterIsReceivedByWhoeverNamesIt() {
    assertTrue(webhook(1, List.of()).subscribesTo(WebhookEventType.THREAD_COMPLETED));
    assertFalse(webhook(1, List.of()).subscribesTo(WebhookEventType.REQUEST_CREATED));
    assertTrue(
        webhook(1, List.of(WebhookEventType.REQUEST_CREATED))
            .subscribesTo(WebhookEventType.REQUEST_CREATED));
    assertTrue(webhook(2, List.of()).subscribesTo(WebhookEventType.THREAD_REQUIRES_ACTION));
    assertFalse(webhook(2, List.of()).subscribesTo(WebhookEventType.REQUEST_CLOSED));
    assertTrue(
        webhook(WebhookEventType.EDITION, List.of()).subscribesTo(WebhookEventType.REQUEST_CLOSED));
  }

  private static Webhook webhook(int edition, List<WebhookEventType> types) {
    return new Webhook(
        new Workspace("w"),
        new WebhookId(new UUID(0, 1)),
        false,
        "https://receiver",
        types,
        edition,
        null,
        true,
        null,
        "https://service",
        Instant.EPOCH,
        null,
        null);
  }
}
