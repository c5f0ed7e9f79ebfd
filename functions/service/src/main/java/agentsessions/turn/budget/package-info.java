/// What a turn, a session and a workspace may still use: at a claim, at a message, and the warnings
/// before that. Sees `store`, `table` and `session`. Never in here: a change of a turn.
@NullMarked
package agentsessions.turn.budget;

import org.jspecify.annotations.NullMarked;
