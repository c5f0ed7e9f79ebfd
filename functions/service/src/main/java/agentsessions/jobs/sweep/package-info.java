/// The look at everything that is due, once a minute: turns that were lost, workspaces' deleted
/// sessions, tasks to be stopped, webhooks nobody has sent.
@NullMarked
package agentsessions.jobs.sweep;

import org.jspecify.annotations.NullMarked;
