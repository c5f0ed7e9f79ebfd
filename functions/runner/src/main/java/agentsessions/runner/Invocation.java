package agentsessions.runner;

import java.net.URI;

/// What the state machine hands the runner: a ticket that claims one turn, the address of the
/// runner protocol (`…/runner/v1`), and how often this invocation has been repeated.
record Invocation(String ticket, URI url, int attempt) {}
