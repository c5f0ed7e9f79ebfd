/// One turn, from its claim to its release: what it is given, its agent's run, what is sent of it
/// while it runs, what becomes of what it made. Sees `repository` and the rooms to its right.
@NullMarked
package agentsessions.runner.turn;

import org.jspecify.annotations.NullMarked;
