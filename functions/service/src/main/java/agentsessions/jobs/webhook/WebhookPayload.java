package agentsessions.jobs.webhook;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.rule.Ceiling;
import agentsessions.session.webhook.WebhookEvent;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The JSON body of a webhook delivery: ids and states, never texts.
@Serdeable
record WebhookPayload(String type, String timestamp, WebhookPayload.Data data) {

  /// The part of a session that the event is about; empty for a `ping`.
  @Serdeable
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Data(
      @Nullable String sessionId,
      @Nullable String threadId,
      @Nullable String artifactId,
      @Nullable String requestId,
      @Nullable String status,
      @Nullable String outcome,
      @Nullable Long seq,
      @Nullable Budget budget,
      @JsonProperty("_links") @Nullable Map<String, CommonJson.Href> links) {

    static Data of(@Nullable Budget budget) {
      return new Data(null, null, null, null, null, null, null, budget, null);
    }

    static Data of(WebhookEvent.About about, @Nullable Budget budget, Links links) {
      return new Data(
          about.session().toString(),
          text(about.turn()),
          text(about.artifact()),
          text(about.request()),
          about.status(),
          about.outcome().orElse(null),
          about.seq().micros(),
          budget,
          links(about, links));
    }

    private static @Nullable String text(@Nullable Object id) {
      return id == null ? null : id.toString();
    }

    private static Map<String, CommonJson.Href> links(WebhookEvent.About about, Links links) {
      Map<String, CommonJson.Href> all = new LinkedHashMap<>();
      all.put("session", new CommonJson.Href(links.session(about.session())));
      Optional.ofNullable(about.turn())
          .ifPresent(turn -> {
            all.put("thread", new CommonJson.Href(links.thread(about.session(), turn)));
            all.put(
                "final_message", new CommonJson.Href(links.finalMessage(about.session(), turn)));
          });
      Optional.ofNullable(about.artifact())
          .ifPresent(artifact ->
              all.put("artifact", new CommonJson.Href(links.artifact(about.session(), artifact))));
      Optional.ofNullable(about.request())
          .ifPresent(request ->
              all.put("request", new CommonJson.Href(links.request(about.session(), request))));
      return all;
    }
  }

  /// The ceiling that a `budget.warning` is about, in dollars, tokens, requests or seconds.
  @Serdeable
  record Budget(String scope, BigDecimal limit, BigDecimal used, String unit) {
    private static Budget of(Ceiling near) {
      return switch (near.unit()) {
        case MICRO_DOLLARS -> of(near, CommonJson::dollars, "usd");
        case TOKENS -> of(near, BigDecimal::valueOf, "tokens");
        case REQUESTS -> of(near, BigDecimal::valueOf, "model_requests");
        case MILLISECONDS -> of(near, CommonJson::seconds, "seconds");
      };
    }

    private static Budget of(Ceiling near, LongFunction<BigDecimal> shown, String unit) {
      return new Budget(
          near.scope().word(), shown.apply(near.limit()), shown.apply(near.used()), unit);
    }
  }

  /// The payload for an event.
  ///
  /// @param baseUrl the beginning of its links, without `/rest/v1`
  static WebhookPayload of(WebhookEvent event, String baseUrl) {
    @Nullable Budget budget = Optional.ofNullable(event.budget()).map(Budget::of).orElse(null);
    return new WebhookPayload(
        event.type().text(),
        CommonJson.time(event.at()),
        Optional.ofNullable(event.about())
            .map(about -> Data.of(about, budget, new Links(baseUrl)))
            .orElseGet(() -> Data.of(budget)));
  }
}
