/// Tests of this room alone.
@NullMarked
package agentsessions.local.machine;

import org.jspecify.annotations.NullMarked;
