package agentsessions.session.id;

/// The key of a turn: its session and its id.
public record TurnKey(SessionKey sessionKey, TurnId id) {
  public SessionId sessionId() {
    return sessionKey.id();
  }
}
