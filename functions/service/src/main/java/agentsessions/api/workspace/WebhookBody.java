package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.store.webhook.Webhooks;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A webhook as the API shows it. Its secret is only in the response that made or rotated it.
@Serdeable
record WebhookBody(
    String id,
    String url,
    List<String> types,
    @Nullable String description,
    boolean isEnabled,
    @Nullable String disabledReason,
    String createdAt,
    @Nullable String lastSuccessAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String secret) {

  static WebhookBody of(Webhook webhook) {
    return of(webhook, null);
  }

  static WebhookBody made(Webhooks.Made made) {
    return of(made.webhook(), made.secret());
  }

  private static WebhookBody of(Webhook webhook, @Nullable String secret) {
    return new WebhookBody(
        webhook.id().toString(),
        webhook.url(),
        webhook.allTypes().stream().map(WebhookEventType::text).toList(),
        webhook.description(),
        webhook.enabled(),
        webhook.disabledReason(),
        CommonJson.time(webhook.createdAt()),
        KeyBody.time(webhook.lastSuccessAt()),
        secret);
  }

  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "webhook " + id;
  }
}
