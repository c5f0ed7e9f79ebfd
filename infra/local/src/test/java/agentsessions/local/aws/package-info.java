/// Tests of this room alone.
@NullMarked
package agentsessions.local.aws;

import org.jspecify.annotations.NullMarked;
