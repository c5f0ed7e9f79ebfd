package agentsessions.session.id;

/// The tenant a key is scoped to (spec 5). It is the first part of every storage key, so a session
/// of another workspace is missed by construction.
public record Workspace(String name) {
  @Override
  public String toString() {
    return name;
  }
}
