package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;

/// Asks the function that sends to webhooks to do so. That is only a speed-up: what was not sent is
/// found by the sweep.
@Singleton
public final class WebhookRuns {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookRuns.class);

  private final LambdaClient client;
  private final JsonMapper json;
  private final String function;

  WebhookRuns(
      LambdaClient client,
      JsonMapper json,
      @Property(name = "webhooks.function", defaultValue = "webhooks") String function) {
    this.client = client;
    this.json = json;
    this.function = function;
  }

  /// For the events of one change.
  public void start(Outbox.Place place) {
    invoke(Map.of("workspace", place.workspace().name(), "outbox", place.first().toString()));
  }

  /// For what one webhook is to be sent.
  public void start(WebhookLeases.Name webhook) {
    invoke(
        Map.of(
            "workspace", webhook.workspace().name(),
            "webhook", webhook.id().toString(),
            "of_session", webhook.ofSession()));
  }

  /// Never throws for a fault of AWS.
  private void invoke(Map<String, Object> event) {
    byte[] payload = payload(event);
    try {
      SdkCalls.make(() ->
          client.invoke(invoke ->
              invoke
                  .functionName(function)
                  .invocationType(InvocationType.EVENT)
                  .payload(SdkBytes.fromByteArray(payload))));
    } catch (SdkException lost) {
      LOG.atWarn().addKeyValue("fault", lost.getClass().getSimpleName()).log("webhooks.start_lost");
    }
  }

  private byte[] payload(Map<String, Object> event) {
    try {
      return json.writeValueAsBytes(event);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
