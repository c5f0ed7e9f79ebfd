/// The repositories of a session: clone, patch of a turn's changes, push and pull request. Git runs
/// in the sandbox only, as the agent's user: the content of a repository, and the settings that an
/// agent may have changed in it, are never read by git outside. Sees `capture`, `control`,
/// `sandbox`, `network` and `agent`.
@NullMarked
package agentsessions.runner.repository;

import org.jspecify.annotations.NullMarked;
