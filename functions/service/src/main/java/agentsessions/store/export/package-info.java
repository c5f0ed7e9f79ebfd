/// Exports of sessions, finished and under way.
@NullMarked
package agentsessions.store.export;

import org.jspecify.annotations.NullMarked;
