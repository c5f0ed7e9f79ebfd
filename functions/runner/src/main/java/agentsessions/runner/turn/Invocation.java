package agentsessions.runner.turn;

import java.net.URI;

/// The input of the runner from the state machine: a ticket that claims one turn, the URL of the
/// runner protocol (`…/runner/v1`), the number of earlier attempts, and the turn's session, so that
/// an environment of another session leaves the turn unclaimed.
public record Invocation(String ticket, URI url, int attempt, String sessionId) {}
