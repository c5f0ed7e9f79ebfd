/// Webhooks: receivers, events and deliveries.
@NullMarked
package agentsessions.session.webhook;

import org.jspecify.annotations.NullMarked;
