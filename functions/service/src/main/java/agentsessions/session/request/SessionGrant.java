package agentsessions.session.request;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.input.ToolPermissions;
import java.time.Instant;

/// The calls that a decision allowed for the rest of a session: those with this fingerprint, which
/// is also the grant's id.
public record SessionGrant(
    SessionKey sessionKey,
    String fingerprint,
    String title,
    String toolName,
    ToolPermissions.Kind kind,
    Instant createdAt,
    String keyId) {
  /// Whether it lets a turn go on unasked. Where four eyes are needed, nobody has allowed in
  /// advance what comes of a message of the same key.
  public boolean holdsFor(Turn turn, ToolPermissions.Asking how) {
    return !how.fourEyes() || !keyId.equals(turn.account().keyId());
  }
}
