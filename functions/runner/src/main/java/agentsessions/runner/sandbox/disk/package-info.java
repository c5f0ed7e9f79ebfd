/// What a turn takes of the disk, in bytes and files, and who is stopped when it is nearly full.
@NullMarked
package agentsessions.runner.sandbox.disk;

import org.jspecify.annotations.NullMarked;
