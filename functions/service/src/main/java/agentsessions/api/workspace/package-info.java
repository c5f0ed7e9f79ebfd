/// The resources of a workspace: keys, secrets, limits, usage, uploads, webhooks.
@NullMarked
package agentsessions.api.workspace;

import org.jspecify.annotations.NullMarked;
