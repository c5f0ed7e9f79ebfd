/// The look at everything that is due, once a minute: turns that were lost, what deleted sessions
/// left, webhooks that nobody has sent.
@NullMarked
package agentsessions.jobs.sweep;

import org.jspecify.annotations.NullMarked;
