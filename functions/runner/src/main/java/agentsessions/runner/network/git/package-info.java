/// The proxy of git to the hosts of a session's repositories, and the check of what may be pushed
/// there.
@NullMarked
package agentsessions.runner.network.git;

import org.jspecify.annotations.NullMarked;
