/// Crowds of connections against one listener.
@NullMarked
package agentsessions.local.wire;

import org.jspecify.annotations.NullMarked;
