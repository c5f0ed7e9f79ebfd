/// Runs of everything that changes a turn, in every order: what may happen, what must hold, and
/// which conditions of writes are needed for it.
@NullMarked
package agentsessions.turn.exploration;

import org.jspecify.annotations.NullMarked;
