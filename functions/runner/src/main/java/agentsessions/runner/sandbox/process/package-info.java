/// Processes of an agent, and the control group that bounds them.
@NullMarked
package agentsessions.runner.sandbox.process;

import org.jspecify.annotations.NullMarked;
