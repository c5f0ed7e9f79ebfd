/// API keys and secrets of a workspace.
@NullMarked
package agentsessions.store.workspace;

import org.jspecify.annotations.NullMarked;
