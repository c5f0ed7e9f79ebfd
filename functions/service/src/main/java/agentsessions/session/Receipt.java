package agentsessions.session;

import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;

/// What an accepted message was given, for ever: together with the request that sent it, all that
/// its answer is made of, whatever becomes of the session.
public record Receipt(TurnKey turn, Stamp stamp) {}
