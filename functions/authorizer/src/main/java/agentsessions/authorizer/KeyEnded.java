package agentsessions.authorizer;

/// The failure of a change by a key that has ended: an authorizer that has just seen the key may
/// have let it pass. Nothing was changed. The API answers 401.
public final class KeyEnded extends RuntimeException {
  public KeyEnded() {
    super("the key has ended");
  }
}
