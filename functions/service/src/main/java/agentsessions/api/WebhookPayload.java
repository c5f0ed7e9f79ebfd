package agentsessions.api;

import agentsessions.session.WebhookEvent;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a webhook is sent: ids and states, never texts.
@Serdeable
record WebhookPayload(String type, String timestamp, WebhookPayload.Data data) {

  /// What of a session the event is about; nothing of a `ping`.
  @Serdeable
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Data(
      @Nullable String sessionId,
      @Nullable String threadId,
      @Nullable String artifactId,
      @Nullable String status,
      @Nullable String outcome,
      @Nullable Long seq,
      @JsonProperty("_links") @Nullable Map<String, Wire.Href> links) {
    static final Data NONE = new Data(null, null, null, null, null, null, null);

    static Data of(WebhookEvent.About about, Links links) {
      return new Data(
          about.session().toString(),
          text(about.turn()),
          text(about.artifact()),
          about.status(),
          about.outcome().orElse(null),
          about.seq().micros(),
          links(about, links));
    }

    private static @Nullable String text(@Nullable Object id) {
      return id == null ? null : id.toString();
    }

    private static Map<String, Wire.Href> links(WebhookEvent.About about, Links links) {
      Map<String, Wire.Href> all = new LinkedHashMap<>();
      all.put("session", new Wire.Href(links.session(about.session())));
      Optional.ofNullable(about.turn())
          .ifPresent(turn -> {
            all.put("thread", new Wire.Href(links.thread(about.session(), turn)));
            all.put("final_message", new Wire.Href(links.finalMessage(about.session(), turn)));
          });
      Optional.ofNullable(about.artifact())
          .ifPresent(artifact ->
              all.put("artifact", new Wire.Href(links.artifact(about.session(), artifact))));
      return all;
    }
  }

  /// @param baseUrl what its links begin with
  static WebhookPayload of(WebhookEvent event, String baseUrl) {
    return new WebhookPayload(
        event.type().text(),
        Wire.time(event.at()),
        Optional.ofNullable(event.about())
            .map(about -> Data.of(about, new Links(baseUrl)))
            .orElse(Data.NONE));
  }
}
