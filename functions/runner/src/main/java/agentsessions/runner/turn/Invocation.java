package agentsessions.runner.turn;

import java.net.URI;

/// What the state machine hands the runner: a ticket that claims one turn, the address of the
/// runner protocol (`…/runner/v1`), how often this invocation has been repeated, and whose turn it
/// is, so that an environment of another session leaves it unclaimed.
public record Invocation(String ticket, URI url, int attempt, String sessionId) {}
