/// The sweep, once a minute, over everything that is due: lost turns, the data of deleted sessions,
/// unsent webhooks.
@NullMarked
package agentsessions.jobs.sweep;

import org.jspecify.annotations.NullMarked;
