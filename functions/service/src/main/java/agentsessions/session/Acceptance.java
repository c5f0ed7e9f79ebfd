package agentsessions.session;

import agentsessions.rule.Ceiling;
import agentsessions.session.id.TurnId;

/// The outcome of a sent message: accepted, replayed, or refused with the reason.
public sealed interface Acceptance {
  /// The turn is written, with everything that belongs to it, in one transaction.
  record Accepted(Turn turn) implements Acceptance {}

  /// The same request was accepted before; `receipt` is the one of the first time.
  record Replayed(Receipt receipt) implements Acceptance {}

  /// The idempotency key belongs to another request.
  record KeyReused() implements Acceptance {}

  /// No such session in this workspace.
  record NoSession() implements Acceptance {}

  /// The workspace has as many live turns as it may have.
  record TooManyTurns(int most) implements Acceptance {}

  /// As many turns of the session wait as may wait.
  record QueueFull(int most) implements Acceptance {}

  /// A ceiling of the session or of its workspace is reached.
  record BudgetReached(Ceiling ceiling) implements Acceptance {}

  /// The session has moved on from the thread that the client named.
  record ThreadChanged(TurnId current) implements Acceptance {}
}
