/// The catalogue entry of an agent, and the rules by which its output becomes a transcript and a
/// reply. Sees no other room.
@NullMarked
package agentsessions.runner.agent;

import org.jspecify.annotations.NullMarked;
