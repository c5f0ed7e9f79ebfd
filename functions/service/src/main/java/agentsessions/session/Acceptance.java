package agentsessions.session;

import agentsessions.session.id.TurnId;
import agentsessions.session.usage.Ceiling;

/// What became of a message that was sent.
public sealed interface Acceptance {
  /// Written, together with everything that belongs to it.
  record Accepted(Turn turn) implements Acceptance {}

  /// The same request was accepted before: what its message was given then.
  record Replayed(Receipt receipt) implements Acceptance {}

  /// The idempotency key belongs to another request.
  record KeyReused() implements Acceptance {}

  /// No such session in this workspace.
  record NoSession() implements Acceptance {}

  /// The workspace has as many live turns as it may have.
  record TooManyTurns(int most) implements Acceptance {}

  /// What the session may use is used up.
  record BudgetReached(Ceiling ceiling) implements Acceptance {}

  /// The session has moved on from the thread that the client named.
  record ThreadChanged(TurnId current) implements Acceptance {}
}
