package agentsessions.session;

import agentsessions.session.id.Workspace;
import java.time.Instant;

/// The record of an accepted request under its idempotency key. A repeat is answered from its
/// `receipt`.
public record IdempotencyRecord(
    Workspace workspace, Idempotency request, Receipt receipt, Instant expiresAt) {}
