/// The child processes: how they are started, watched and started again, and how the runner is fed
/// as Lambda feeds it. Sees `machine`, `steps` and `wire`.
@NullMarked
package agentsessions.local.process;

import org.jspecify.annotations.NullMarked;
