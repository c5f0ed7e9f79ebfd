/// The acceptance of what begins a turn or a job: a session's first message, every follow-up, with
/// the turn that it may end, decisions on plans, and pull requests that are asked for afterwards;
/// and of all other decisions. Sees the rest of `turn`, which does not see it.
@NullMarked
package agentsessions.turn.intake;

import org.jspecify.annotations.NullMarked;
