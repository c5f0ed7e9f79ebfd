/// The proxy from an agent to the hosts that its operator and its session allow.
@NullMarked
package agentsessions.runner.network.host;

import org.jspecify.annotations.NullMarked;
