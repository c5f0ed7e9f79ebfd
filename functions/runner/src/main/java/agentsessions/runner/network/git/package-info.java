/// The way of git to the hosts of a session's repositories, and what may be pushed there.
@NullMarked
package agentsessions.runner.network.git;

import org.jspecify.annotations.NullMarked;
