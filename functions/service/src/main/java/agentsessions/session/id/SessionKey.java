package agentsessions.session.id;

/// The key of a session: its workspace and its id, so that a session of another workspace is not
/// found.
public record SessionKey(Workspace workspace, SessionId id) {
  public TurnKey turn(TurnId turn) {
    return new TurnKey(this, turn);
  }
}
