/// The service as a runner knows it: claim, events, uploads, result, release, over HTTP. Sees
/// `sandbox` and `agent`. Never in here: a decision about a turn.
@NullMarked
package agentsessions.runner.control;

import org.jspecify.annotations.NullMarked;
