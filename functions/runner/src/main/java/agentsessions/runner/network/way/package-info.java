/// What all ways out have in common: a listener behind the sandbox's socket, a client that goes
/// only to addresses that may be reached.
@NullMarked
package agentsessions.runner.network.way;

import org.jspecify.annotations.NullMarked;
