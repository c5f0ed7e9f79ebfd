/// The repositories of a session: how they come into its sandbox, what a turn has changed in them,
/// and how that goes back to their hosts. Git runs in the sandbox only, as the agent's user: what a
/// repository holds, and what an agent has made of its settings, is never read by git out here.
/// Sees `capture`, `control`, `sandbox`, `network` and `agent`.
@NullMarked
package agentsessions.runner.repository;

import org.jspecify.annotations.NullMarked;
