package agentsessions.turn.exploration;

/// An invariant that does not hold. An error, so that no code under test can swallow it.
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  Violation(String sentence) {
    super(sentence);
  }
}
