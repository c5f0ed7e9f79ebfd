/// A scripted model server in place of the vendors': its protocols, its marks, and the requests
/// that it refuses.
@NullMarked
package agentsessions.agents.model;

import org.jspecify.annotations.NullMarked;
