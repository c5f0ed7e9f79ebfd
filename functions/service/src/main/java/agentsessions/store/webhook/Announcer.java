package agentsessions.store.webhook;

import agentsessions.aws.EventCalls;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.Write;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/// Writes a change together with its webhook events, and starts the function that sends them. Where
/// no webhook receives them, the change is written alone: which workspaces have webhooks is
/// remembered for a short time.
@Singleton
public final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
  private static final int MOST_REMEMBERED = 10_000;

  private final Table table;
  private final Outbox outbox;
  private final BeanProvider<EventCalls> calls;
  private final String function;
  private final Clock clock;
  private final Duration remembered;
  private final Map<Workspace, Seen> seen = new ConcurrentHashMap<>();

  /// @param function the name of the function that sends
  /// @param seconds for which it is remembered whether a workspace has webhooks
  public Announcer(
      Table table,
      Outbox outbox,
      BeanProvider<EventCalls> calls,
      Clock clock,
      @Property(name = "webhooks.function", defaultValue = "webhooks") String function,
      @Property(name = "webhooks.seen.seconds", defaultValue = "30") int seconds) {
    this.table = table;
    this.outbox = outbox;
    this.calls = calls;
    this.clock = clock;
    this.function = function;
    this.remembered = Duration.ofSeconds(seconds);
  }

  private record Seen(boolean hasWebhooks, Instant until) {}

  /// Makes one transaction; a refusal names the positions among `writes`.
  public Table.Outcome write(List<Write> writes, PendingEvents events) {
    if (events.items().isEmpty() || !isReceived(events.workspace(), events.own())) {
      return table.write(writes);
    }
    Outbox.Posted posted = outbox.post(events);
    List<Write> all = new ArrayList<>(writes);
    all.add(posted.write());
    Table.Outcome outcome = table.write(all);
    if (outcome.committed()) {
      start(posted.place());
    }
    return outcome;
  }

  /// Whether any webhook receives the events of a session, or of its workspace.
  ///
  /// @param own whether the session has a webhook of its own
  public boolean isReceived(Workspace workspace, boolean own) {
    return own || hasWebhooks(workspace);
  }

  /// Remembers what was just read: a request that creates a session or sends a message learns it
  /// from items that it reads anyway.
  public void remember(Workspace workspace, boolean hasWebhooks) {
    if (seen.size() >= MOST_REMEMBERED) {
      seen.clear();
    }
    seen.put(workspace, new Seen(hasWebhooks, clock.instant().plus(remembered)));
  }

  /// Whether the workspace has webhooks; read where it is not remembered.
  boolean hasWebhooks(Workspace workspace) {
    @Nullable Seen known = seen.get(workspace);
    if (known != null && known.until.isAfter(clock.instant())) {
      return known.hasWebhooks;
    }
    boolean hasWebhooks = table.item(Layout.webhookMark(workspace)).isPresent();
    remember(workspace, hasWebhooks);
    return hasWebhooks;
  }

  /// Has the events of one change sent.
  public void start(Outbox.Place place) {
    invoke(Map.of("workspace", place.workspace().name(), "outbox", place.first().toString()));
  }

  /// Has the due deliveries of one webhook sent.
  public void start(WebhookLeases.Name webhook) {
    invoke(
        Map.of(
            "workspace", webhook.workspace().name(),
            "webhook", webhook.id().toString(),
            "of_session", webhook.ofSession()));
  }

  /// A fault of AWS is logged, never thrown: a start only saves time, and the sweep finds
  /// everything that was not sent.
  private void invoke(Map<String, Object> event) {
    try {
      calls.get().begin(function, event);
    } catch (SdkException lost) {
      LOG.atWarn().addKeyValue("fault", lost.getClass().getSimpleName()).log("webhooks.start_lost");
    }
  }
}
