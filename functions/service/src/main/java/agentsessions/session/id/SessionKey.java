package agentsessions.session.id;

/// Where a session is found: in its workspace and nowhere else, so that one of another workspace is
/// not there.
public record SessionKey(Workspace workspace, SessionId id) {
  public TurnKey turn(TurnId turn) {
    return new TurnKey(this, turn);
  }
}
