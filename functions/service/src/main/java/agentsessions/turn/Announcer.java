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
  private final WebhookPresence hearing;
  private final Outbox outbox;
  private final BeanProvider<WebhookRuns> runs;

  public Announcer(
      Table table, WebhookPresence hearing, Outbox outbox, BeanProvider<WebhookRuns> runs) {
    this.table = table;
    this.hearing = hearing;
    this.outbox = outbox;
    this.runs = runs;
  }

  /// Makes one transaction; a refusal names the positions among `writes`.
  public Table.Outcome write(List<Write> writes, PendingEvents news) {
    if (news.items().isEmpty() || !isHeard(news)) {
      return table.write(writes);
    }
    Outbox.Posted posted = outbox.post(news);
    List<Write> all = new ArrayList<>(writes);
    all.add(posted.write());
    Table.Outcome outcome = table.write(all);
    if (outcome.committed()) {
      runs.get().start(posted.place());
    }
    return outcome;
  }

  /// Whether any webhook receives the events of a session, or of its workspace.
  boolean isHeard(Workspace workspace, boolean own) {
    return own || hearing.hears(workspace);
  }

  private boolean isHeard(PendingEvents news) {
    return isHeard(news.workspace(), news.own());
  }
}
