package agentsessions.turn.intake;

import agentsessions.session.Turn;
import agentsessions.session.webhook.PendingEvents;
import agentsessions.store.session.StoredInputs;
import agentsessions.table.Write;
import io.micronaut.context.BeanProvider;
import java.time.Instant;
import java.util.List;

/// The change of a session by a follow-up: its turn begins, or it waits.
sealed interface Continuation permits BegunFollowUp, QueuedFollowUp {
  Turn next();

  List<Write> writes(BeanProvider<StoredInputs> storedInputs, Instant now);

  PendingEvents events();
}
