/// The usage of a workspace by day, and its spending limits.
@NullMarked
package agentsessions.store.usage;

import org.jspecify.annotations.NullMarked;
