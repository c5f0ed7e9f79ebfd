/// Capture of a turn's files: those that are new or changed in its sandbox, which of them are
/// plans, and the notes on those left out. Sees `control`, `sandbox` and `agent`.
@NullMarked
package agentsessions.runner.capture;

import org.jspecify.annotations.NullMarked;
