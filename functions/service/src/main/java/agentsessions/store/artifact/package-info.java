/// Artifacts that turns left, and uploads for turns to come.
@NullMarked
package agentsessions.store.artifact;

import org.jspecify.annotations.NullMarked;
