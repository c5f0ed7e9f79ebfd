/// The resources of a whole workspace: keys, secrets, limits, usage and webhooks.
@NullMarked
package agentsessions.contract.workspace;

import org.jspecify.annotations.NullMarked;
