/// Tests of the front; they start a server only where HTTP itself is tested.
@NullMarked
package agentsessions.local.front;

import org.jspecify.annotations.NullMarked;
