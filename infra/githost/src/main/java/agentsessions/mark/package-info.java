/// How tests of several modules tell their own processes from those of others.
@NullMarked
package agentsessions.mark;

import org.jspecify.annotations.NullMarked;
