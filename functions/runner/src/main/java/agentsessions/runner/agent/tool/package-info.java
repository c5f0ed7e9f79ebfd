/// The judging of an agent's tool calls and connections by the permissions of its session.
@NullMarked
package agentsessions.runner.agent.tool;

import org.jspecify.annotations.NullMarked;
