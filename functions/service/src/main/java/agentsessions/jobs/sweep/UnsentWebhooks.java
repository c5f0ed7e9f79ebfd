package agentsessions.jobs.sweep;

import agentsessions.store.webhook.Announcer;
import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.table.Shards;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;

/// The start of webhook sends that are overdue. The sweep never sends by itself: it starts a sender
/// for each.
@Singleton
public final class UnsentWebhooks {
  private final Outbox outbox;
  private final BeanProvider<WebhookLeases> leases;
  private final Announcer announcer;

  public UnsentWebhooks(Outbox outbox, BeanProvider<WebhookLeases> leases, Announcer announcer) {
    this.outbox = outbox;
    this.leases = leases;
    this.announcer = announcer;
  }

  /// Starts one sender for each change in the outbox and each webhook that is due.
  void start() {
    for (String shard : Shards.outbox()) {
      outbox.due(shard).forEach(place -> announcer.start(place));
    }
    for (String shard : Shards.webhooks()) {
      leases.get().due(shard).forEach(webhook -> announcer.start(webhook));
    }
  }
}
