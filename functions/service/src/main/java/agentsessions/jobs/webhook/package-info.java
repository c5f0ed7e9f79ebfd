/// The sending of webhooks: an event becomes deliveries, each is posted, and tried again by the
/// schedule until it is good or given up.
@NullMarked
package agentsessions.jobs.webhook;

import org.jspecify.annotations.NullMarked;
