/// Webhooks, the outbox of their events, their deliveries, and the leases of senders.
@NullMarked
package agentsessions.store.webhook;

import org.jspecify.annotations.NullMarked;
