/// The gate in front of an agent's tools.
@NullMarked
package agentsessions.runner.network.tool;

import org.jspecify.annotations.NullMarked;
