package agentsessions.session;

/// The idempotency key of a request: `key` (a hash of path and `Idempotency-Key`) is unique within
/// the workspace, `bodyHash` tells whether a repeat is the same request.
public record Idempotency(String key, String bodyHash) {}
