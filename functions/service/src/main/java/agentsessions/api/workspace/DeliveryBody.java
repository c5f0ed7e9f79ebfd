package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.session.webhook.Delivery;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A delivery as the API shows it: one event on its way to one webhook, with the attempts made.
@Serdeable
record DeliveryBody(
    String id,
    String type,
    @Nullable String sessionId,
    String status,
    List<AttemptBody> attempts,
    @Nullable String nextAttemptAt,
    String createdAt) {

  /// One page of a webhook's deliveries, the newest first.
  @Serdeable
  record DeliveryPage(
      List<DeliveryBody> items, @JsonProperty("_links") CommonJson.PageLinks links) {}

  @Serdeable
  record AttemptBody(
      String at, @Nullable Integer statusCode, long milliseconds, @Nullable String error) {
    static AttemptBody of(Delivery.Attempt attempt) {
      return new AttemptBody(
          CommonJson.time(attempt.at()),
          attempt.statusCode(),
          attempt.milliseconds(),
          attempt.error());
    }
  }

  static DeliveryBody of(Delivery delivery) {
    return new DeliveryBody(
        delivery.event().toString(),
        delivery.type().text(),
        delivery.session() == null ? null : delivery.session().toString(),
        delivery.status().word(),
        delivery.attempts().stream().map(AttemptBody::of).toList(),
        KeyBody.time(delivery.nextAttemptAt()),
        CommonJson.time(delivery.createdAt()));
  }
}
