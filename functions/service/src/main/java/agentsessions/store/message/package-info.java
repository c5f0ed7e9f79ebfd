/// Messages of a session: each kind by itself, and copies of all in the order in which they were
/// said.
@NullMarked
package agentsessions.store.message;

import org.jspecify.annotations.NullMarked;
