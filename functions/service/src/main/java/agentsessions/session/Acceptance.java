package agentsessions.session;

/// What became of a message that was sent.
public sealed interface Acceptance {
  /// Written, together with everything that belongs to it. `answer` is what a repeat would be
  /// given.
  record Accepted(Turn turn, String answer) implements Acceptance {}

  /// The same request was accepted before: what was kept of its answer.
  record Replayed(String answer) implements Acceptance {}

  /// The idempotency key belongs to another request.
  record KeyReused() implements Acceptance {}

  /// No such session in this workspace.
  record NoSession() implements Acceptance {}

  /// The workspace has as many live turns as it may have.
  record TooManyTurns(int most) implements Acceptance {}

  /// The session has moved on from the thread that the client named.
  record ThreadChanged(TurnId current) implements Acceptance {}
}
