package agentsessions.lambda;

import agentsessions.aws.RefusedCalls;
import agentsessions.jobs.webhook.WebhookSender;
import agentsessions.session.id.EventId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookLeases;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The Lambda entry point of `WebhookSender`: `{"workspace", "outbox"}` for the events of one
/// change, `{"workspace", "webhook", "of_session"}` for the due deliveries of one webhook; to `{}`.
public final class WebhooksHandler implements RequestStreamHandler {
  private static final Duration GOODBYE = Duration.ofSeconds(5);
  private static final Duration OUTSIDE_OF_LAMBDA = Duration.ofMinutes(5);

  private final JsonMapper json;
  private final WebhookSender sender;

  public WebhooksHandler() {
    this(Map.of());
    RefusedCalls.expected(this::prime);
  }

  /// Looks for events that are not there.
  public void prime() {
    Priming.event(
        this,
        """
        {"workspace":"-","outbox":"%s"}\
        """
            .formatted(Priming.ONE));
  }

  public WebhooksHandler(Map<String, Object> settings) {
    ApplicationContext application = Application.start(settings);
    this.json = application.getBean(JsonMapper.class);
    this.sender = application.getBean(WebhookSender.class);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
      throws IOException {
    Map<String, Object> event = json.readValue(input, Argument.mapOf(String.class, Object.class));
    if (!WakeUps.isOne(event)) {
      send(event, remaining(context));
    }
    output.write(json.writeValueAsBytes(Map.of()));
  }

  private void send(Map<String, Object> event, Duration remaining) {
    long end = System.nanoTime() + remaining.toNanos();
    Workspace workspace = new Workspace(text(event, "workspace"));
    if (event.containsKey("outbox")) {
      EventId first = EventId.parse(text(event, "outbox")).orElseThrow();
      sender.fanOut(new Outbox.Place(workspace, first), end);
    } else {
      WebhookId webhook = WebhookId.parse(text(event, "webhook")).orElseThrow();
      boolean ofSession = Boolean.parseBoolean(String.valueOf(event.get("of_session")));
      sender.drain(new WebhookLeases.Name(workspace, webhook, ofSession), end);
    }
  }

  private static Duration remaining(@Nullable Context context) {
    return context == null
        ? OUTSIDE_OF_LAMBDA
        : Duration.ofMillis(context.getRemainingTimeInMillis()).minus(GOODBYE);
  }

  private static String text(Map<String, Object> event, String name) {
    return Objects.requireNonNull(event.get(name), name).toString();
  }
}
