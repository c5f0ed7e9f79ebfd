/// Artifacts of turns, and uploads for messages to come.
@NullMarked
package agentsessions.store.artifact;

import org.jspecify.annotations.NullMarked;
