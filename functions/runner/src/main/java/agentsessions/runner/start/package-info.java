/// The entry points of the runner: on Lambda, on one machine, as the task of a session, and the key
/// container beside a task. Sees every other room.
@NullMarked
package agentsessions.runner.start;

import org.jspecify.annotations.NullMarked;
