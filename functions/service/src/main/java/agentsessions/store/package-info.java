/// The store: everything that is kept, with the conditions of its writes, in shelves by subject.
/// Sees `aws`, `table` and `session`. Never in here: HTTP, a transition of a session or a turn.
@NullMarked
package agentsessions.store;

import org.jspecify.annotations.NullMarked;
