/// The requests that people decide, their decisions, and what these allow for the rest of a
/// session.
@NullMarked
package agentsessions.api.decisions;

import org.jspecify.annotations.NullMarked;
