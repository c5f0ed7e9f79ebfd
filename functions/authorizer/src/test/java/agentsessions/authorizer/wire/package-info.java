@NullMarked
package agentsessions.authorizer.wire;

import org.jspecify.annotations.NullMarked;
