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

  /// A limit is reached that every turn has to meet.
  sealed interface Limited extends Acceptance {
    Refusal refusal();
  }

  /// The workspace has as many live turns as it may have.
  record TooManyTurns(int most) implements Limited {
    @Override
    public Refusal refusal() {
      return Refusal.of(
          Refusal.Code.TOO_MANY_TURNS,
          "This workspace has %d live turns, which is the most; try again when one has ended"
              .formatted(most));
    }
  }

  /// As many turns of the session wait as may wait.
  record QueueFull(int most) implements Limited {
    @Override
    public Refusal refusal() {
      return Refusal.of(
          Refusal.Code.QUEUE_FULL,
          "%d threads of this session wait, which is the most; try again when one has begun"
              .formatted(most));
    }
  }

  /// A ceiling of the session or of its workspace is reached.
  record BudgetReached(Ceiling ceiling) implements Limited {
    @Override
    public Refusal refusal() {
      String whoRaises =
          switch (ceiling.scope()) {
            case TURN, SESSION -> "A change of the session's limits raises it";
            case DAY, MONTH -> "A change of the workspace's limits raises it";
          };
      return Refusal.of(Refusal.Code.BUDGET_REACHED, ceiling.sentence() + " " + whoRaises);
    }
  }

  /// The session has moved on from the thread that the client named.
  record ThreadChanged(TurnId current) implements Acceptance {}
}
