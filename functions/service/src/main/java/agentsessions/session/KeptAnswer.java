package agentsessions.session;

import agentsessions.session.id.Workspace;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is kept of an accepted request for its repeats: what its message was given, or (`older`)
/// the answer as it was kept before receipts were.
public record KeptAnswer(
    Workspace workspace,
    Idempotency request,
    @Nullable Receipt receipt,
    @Nullable String older,
    Instant expiresAt) {}
