/// One turn, from its claim to its release: its environment, the agent's run, its live transcript,
/// its result. Sees `repository` and the rooms to its right.
@NullMarked
package agentsessions.runner.turn;

import org.jspecify.annotations.NullMarked;
