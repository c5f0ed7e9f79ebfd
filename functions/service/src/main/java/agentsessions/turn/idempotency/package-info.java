/// Idempotency: the records from which a repeated request is answered.
@NullMarked
package agentsessions.turn.idempotency;

import org.jspecify.annotations.NullMarked;
