/// What a turn made: the files that are new or changed in its sandbox, which of them are plans, and
/// what is said of those left out. Sees `control`, `sandbox` and `agent`.
@NullMarked
package agentsessions.runner.capture;

import org.jspecify.annotations.NullMarked;
