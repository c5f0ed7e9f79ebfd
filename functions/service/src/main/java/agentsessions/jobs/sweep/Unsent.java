package agentsessions.jobs.sweep;

import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.store.webhook.WebhookRuns;
import agentsessions.table.Shards;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;

/// What webhooks should have heard of by now: the sweep never sends, it asks for it.
@Singleton
public final class Unsent {
  private final Outbox outbox;
  private final BeanProvider<WebhookLeases> leases;
  private final BeanProvider<WebhookRuns> runs;

  public Unsent(Outbox outbox, BeanProvider<WebhookLeases> leases, BeanProvider<WebhookRuns> runs) {
    this.outbox = outbox;
    this.leases = leases;
    this.runs = runs;
  }

  /// Once for each change and each webhook that is due.
  void start() {
    for (String shard : Shards.outbox()) {
      outbox.due(shard).forEach(place -> runs.get().start(place));
    }
    for (String shard : Shards.webhooks()) {
      leases.get().due(shard).forEach(webhook -> runs.get().start(webhook));
    }
  }
}
