/// Webhooks, the outbox of what they are to hear, their deliveries, and the leases of those who
/// send.
@NullMarked
package agentsessions.store.webhook;

import org.jspecify.annotations.NullMarked;
