/// The acceptance of messages: a session's first one, and every follow-up, with the turn that it
/// may end. Sees the rest of `turn`, which does not see it.
@NullMarked
package agentsessions.turn.intake;

import org.jspecify.annotations.NullMarked;
