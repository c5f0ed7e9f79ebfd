/// How a runner begins: on Lambda, on one machine, as the task of a session, and the container of
/// keys beside a task. Sees every other room.
@NullMarked
package agentsessions.runner.start;

import org.jspecify.annotations.NullMarked;
