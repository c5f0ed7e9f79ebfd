/// Answers that are kept for a request sent again with the same key.
@NullMarked
package agentsessions.turn.idempotency;

import org.jspecify.annotations.NullMarked;
