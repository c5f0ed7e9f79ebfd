package agentsessions.store.webhook;

import agentsessions.aws.EventCalls;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/// Starts the function that sends to webhooks. That only saves time: the sweep finds everything
/// that was not sent.
@Singleton
public final class WebhookRuns {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookRuns.class);

  private final EventCalls calls;
  private final String function;

  WebhookRuns(
      EventCalls calls,
      @Property(name = "webhooks.function", defaultValue = "webhooks") String function) {
    this.calls = calls;
    this.function = function;
  }

  /// Sends the events of one change.
  public void start(Outbox.Place place) {
    invoke(Map.of("workspace", place.workspace().name(), "outbox", place.first().toString()));
  }

  /// Sends the due deliveries of one webhook.
  public void start(WebhookLeases.Name webhook) {
    invoke(
        Map.of(
            "workspace", webhook.workspace().name(),
            "webhook", webhook.id().toString(),
            "of_session", webhook.ofSession()));
  }

  /// A fault of AWS is logged, never thrown.
  private void invoke(Map<String, Object> event) {
    try {
      calls.begin(function, event);
    } catch (SdkException lost) {
      LOG.atWarn().addKeyValue("fault", lost.getClass().getSimpleName()).log("webhooks.start_lost");
    }
  }
}
