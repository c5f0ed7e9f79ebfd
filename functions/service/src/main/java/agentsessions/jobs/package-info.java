/// Background work, started by a schedule, another function or an execution: the sweep, the sender
/// of webhooks, the builder of exports. Threads and waiting stand here. Sees `api` and every room
/// to its right. Never in here: a route, a condition of a write.
@NullMarked
package agentsessions.jobs;

import org.jspecify.annotations.NullMarked;
