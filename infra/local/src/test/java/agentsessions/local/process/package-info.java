/// Tests of this room alone.
@NullMarked
package agentsessions.local.process;

import org.jspecify.annotations.NullMarked;
