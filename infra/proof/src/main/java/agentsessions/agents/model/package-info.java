/// A scripted model in place of the real ones: what it says to each of the protocols that agents
/// speak, and how strict it is.
@NullMarked
package agentsessions.agents.model;

import org.jspecify.annotations.NullMarked;
