package agentsessions.session.request;

import agentsessions.session.id.SessionKey;
import agentsessions.session.input.ToolPermissions;
import java.time.Instant;

/// What a decision allowed for the rest of a session: calls with this fingerprint, which is also
/// the grant's id.
public record SessionGrant(
    SessionKey sessionKey,
    String fingerprint,
    String title,
    String toolName,
    ToolPermissions.Kind kind,
    Instant createdAt,
    String keyId) {}
