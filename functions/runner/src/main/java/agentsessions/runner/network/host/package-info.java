/// An agent's way to the hosts that its operator allows.
@NullMarked
package agentsessions.runner.network.host;

import org.jspecify.annotations.NullMarked;
