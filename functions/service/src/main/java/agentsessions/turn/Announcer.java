package agentsessions.turn;

import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookPresence;
import agentsessions.store.webhook.WebhookRuns;
import agentsessions.table.Table;
import agentsessions.table.Write;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/// Writes a change together with its webhook events. Where no webhook receives them, the change is
/// written alone.
@Singleton
public final class Announcer {
  private final Table table;
  private final WebhookPresence presence;
  private final Outbox outbox;
  private final BeanProvider<WebhookRuns> runs;

  public Announcer(
      Table table, WebhookPresence presence, Outbox outbox, BeanProvider<WebhookRuns> runs) {
    this.table = table;
    this.presence = presence;
    this.outbox = outbox;
    this.runs = runs;
  }

  /// Makes one transaction; a refusal names the positions among `writes`.
  public Table.Outcome write(List<Write> writes, PendingEvents events) {
    if (events.items().isEmpty() || !isReceived(events)) {
      return table.write(writes);
    }
    Outbox.Posted posted = outbox.post(events);
    List<Write> all = new ArrayList<>(writes);
    all.add(posted.write());
    Table.Outcome outcome = table.write(all);
    if (outcome.committed()) {
      runs.get().start(posted.place());
    }
    return outcome;
  }

  /// Whether any webhook receives the events of a session, or of its workspace.
  boolean isReceived(Workspace workspace, boolean own) {
    return own || presence.hasWebhooks(workspace);
  }

  private boolean isReceived(PendingEvents events) {
    return isReceived(events.workspace(), events.own());
  }
}
