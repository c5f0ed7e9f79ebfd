/// Events of a session after a position, read from the rows that are there.
@NullMarked
package agentsessions.store.event;

import org.jspecify.annotations.NullMarked;
