/// Webhooks: receivers, events, deliveries, and the retry schedule.
@NullMarked
package agentsessions.session.webhook;

import org.jspecify.annotations.NullMarked;
