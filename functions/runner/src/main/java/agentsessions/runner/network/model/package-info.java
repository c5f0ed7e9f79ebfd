/// The proxy from an agent to its one model: which requests may pass, how many, and what they use.
@NullMarked
package agentsessions.runner.network.model;

import org.jspecify.annotations.NullMarked;
