package agentsessions.session;

import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;

/// The turn and the stamp of an accepted message, which never change. With the request that sent
/// it, they are all that its answer is made of, so that a later repeat gets the same answer.
public record Receipt(TurnKey turn, Stamp stamp) {}
