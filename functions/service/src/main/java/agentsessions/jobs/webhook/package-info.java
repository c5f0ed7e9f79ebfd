/// Sends what webhooks hear of: takes a delivery, posts it, puts down what came of it.
@NullMarked
package agentsessions.jobs.webhook;

import org.jspecify.annotations.NullMarked;
