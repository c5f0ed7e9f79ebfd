/// What a workspace has used and may use, by day.
@NullMarked
package agentsessions.store.usage;

import org.jspecify.annotations.NullMarked;
