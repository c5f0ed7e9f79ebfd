/// Tests of the HTTP servers' limits.
@NullMarked
package agentsessions.local.wire;

import org.jspecify.annotations.NullMarked;
