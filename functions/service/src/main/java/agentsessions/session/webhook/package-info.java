/// Webhooks: who hears, of what, and when it is tried again.
@NullMarked
package agentsessions.session.webhook;

import org.jspecify.annotations.NullMarked;
