package agentsessions.session;

import agentsessions.session.id.Workspace;
import java.time.Instant;

/// What is kept of an accepted request for its repeats: what its message was given.
public record KeptAnswer(
    Workspace workspace, Idempotency request, Receipt receipt, Instant expiresAt) {}
