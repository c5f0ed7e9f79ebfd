/// The sending of webhooks: a delivery is taken, posted, and its outcome recorded.
@NullMarked
package agentsessions.jobs.webhook;

import org.jspecify.annotations.NullMarked;
