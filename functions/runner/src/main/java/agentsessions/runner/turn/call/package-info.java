/// The calls of one turn on which a person decides: held while its agent waits, kept by the agent
/// while the turn is parked, and gone on with, or never.
@NullMarked
package agentsessions.runner.turn.call;

import org.jspecify.annotations.NullMarked;
