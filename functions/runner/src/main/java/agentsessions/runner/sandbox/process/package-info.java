/// The processes of an agent, and the control group that limits them.
@NullMarked
package agentsessions.runner.sandbox.process;

import org.jspecify.annotations.NullMarked;
