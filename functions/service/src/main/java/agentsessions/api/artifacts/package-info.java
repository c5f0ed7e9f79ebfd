/// Artifacts and exports of a session, with their links.
@NullMarked
package agentsessions.api.artifacts;

import org.jspecify.annotations.NullMarked;
