package agentsessions.session.id;

/// The key of a turn: its session and its id.
public record TurnKey(SessionKey session, TurnId id) {
  public SessionId sessionId() {
    return session.id();
  }
}
