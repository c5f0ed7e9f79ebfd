/// Messages of a session: each kind by itself, copies of all in the order in which they were said,
/// and how many each turn has.
@NullMarked
package agentsessions.store.message;

import org.jspecify.annotations.NullMarked;
