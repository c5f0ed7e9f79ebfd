package agentsessions.session;

/// A request that may be repeated: `key` names it within its workspace (a hash of path and
/// `Idempotency-Key`), `bodyHash` tells whether a repeat is the same request.
public record Idempotency(String key, String bodyHash) {}
