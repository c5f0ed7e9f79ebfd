package agentsessions.session.id;

/// Where a turn is found: in its session.
public record TurnKey(SessionKey session, TurnId id) {
  public SessionId sessionId() {
    return session.id();
  }
}
