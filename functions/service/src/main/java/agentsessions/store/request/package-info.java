/// The kept requests for decisions, and grants: their reads, and the writes by which `turn` changes
/// them.
@NullMarked
package agentsessions.store.request;

import org.jspecify.annotations.NullMarked;
