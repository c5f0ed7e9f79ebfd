package agentsessions.store.webhook;

import agentsessions.session.id.Workspace;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A short-lived cache of which workspaces have webhooks. A request that creates a session or sends
/// a message learns it from items that it reads anyway.
@Singleton
public final class WebhookPresence {
  private static final int MOST_REMEMBERED = 10_000;

  private final Table table;
  private final Clock clock;
  private final Duration remembered;
  private final Map<Workspace, Seen> seen = new ConcurrentHashMap<>();

  private record Seen(boolean hasWebhooks, Instant until) {}

  public WebhookPresence(
      Table table,
      Clock clock,
      @Property(name = "webhooks.seen.seconds", defaultValue = "30") int seconds) {
    this.table = table;
    this.clock = clock;
    this.remembered = Duration.ofSeconds(seconds);
  }

  /// Remembers what was just read.
  public void remember(Workspace workspace, boolean hasWebhooks) {
    if (seen.size() >= MOST_REMEMBERED) {
      seen.clear();
    }
    seen.put(workspace, new Seen(hasWebhooks, clock.instant().plus(remembered)));
  }

  /// Whether the workspace has webhooks; read where it is not remembered.
  public boolean hasWebhooks(Workspace workspace) {
    @Nullable Seen known = seen.get(workspace);
    if (known != null && known.until.isAfter(clock.instant())) {
      return known.hasWebhooks;
    }
    boolean hasWebhooks = table.item(Layout.webhookMark(workspace)).isPresent();
    remember(workspace, hasWebhooks);
    return hasWebhooks;
  }
}
