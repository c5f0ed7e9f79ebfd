/// The kept requests for decisions, and grants: their reads.
@NullMarked
package agentsessions.store.request;

import org.jspecify.annotations.NullMarked;
