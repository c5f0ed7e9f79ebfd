/// The client of the runner protocol: claim, events, uploads, result, release, over HTTP. Sees
/// `sandbox`, `network`, `usage` and `agent`. Never in here: a decision about a turn.
@NullMarked
package agentsessions.runner.control;

import org.jspecify.annotations.NullMarked;
