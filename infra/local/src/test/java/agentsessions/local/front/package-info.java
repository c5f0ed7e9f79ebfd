/// Tests of the front: no server but where the wire itself is the point.
@NullMarked
package agentsessions.local.front;

import org.jspecify.annotations.NullMarked;
