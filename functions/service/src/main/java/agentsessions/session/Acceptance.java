package agentsessions.session;

import agentsessions.rule.Ceiling;
import agentsessions.session.id.TurnId;

/// The outcome of a request that begins a turn or a job: accepted, replayed, or refused with the
/// reason.
public sealed interface Acceptance {
  /// The turn is written, with everything that belongs to it, in one transaction.
  record Accepted(Turn turn) implements Acceptance {}

  /// The same request was accepted before; `receipt` is the one of the first time.
  record Replayed(Receipt receipt) implements Acceptance {}

  /// Nothing is written, and its sender is told why.
  sealed interface Refused extends Acceptance {
    Refusal refusal();
  }

  /// The idempotency key belongs to another request.
  record KeyReused() implements Refused {
    @Override
    public Refusal refusal() {
      return Refusal.of(
          Refusal.Code.IDEMPOTENCY_KEY_REUSED,
          "This Idempotency-Key was used with another request body");
    }
  }

  /// No such session in this workspace.
  record NoSession() implements Refused {
    @Override
    public Refusal refusal() {
      return Refusal.notFound("Session");
    }
  }

  /// The session is in no state for it.
  record Unready(Refusal refusal) implements Refused {}

  /// The workspace has as many live turns as it may have.
  record TooManyTurns(int most) implements Refused {
    @Override
    public Refusal refusal() {
      return Refusal.of(
          Refusal.Code.TOO_MANY_TURNS,
          "This workspace has %d live turns, which is the most; try again when one has ended"
              .formatted(most));
    }
  }

  /// As many turns of the session wait as may wait.
  record QueueFull(int most) implements Refused {
    @Override
    public Refusal refusal() {
      return Refusal.of(
          Refusal.Code.QUEUE_FULL,
          "%d threads of this session wait, which is the most; try again when one has begun"
              .formatted(most));
    }
  }

  /// A ceiling of the session or of its workspace is reached.
  record BudgetReached(Ceiling ceiling) implements Refused {
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
  record ThreadChanged(TurnId current) implements Refused {
    @Override
    public Refusal refusal() {
      return Refusal.of(Refusal.Code.THREAD_CHANGED, "The current thread is now " + current);
    }
  }
}
