/// The disk use of turns in bytes and inodes, and the choice of the turn that is stopped when the
/// disk is nearly full.
@NullMarked
package agentsessions.runner.sandbox.disk;

import org.jspecify.annotations.NullMarked;
