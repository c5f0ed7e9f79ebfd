/// What happened in a session since a place, read from the rows that are there.
@NullMarked
package agentsessions.store.event;

import org.jspecify.annotations.NullMarked;
