package agentsessions.turn;

import agentsessions.aws.Executions;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.item.TurnItem;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Instant;

/// The way back of a turn that was parked: it is queued again under another dispatch, for another
/// runner. Where its start is lost, the sweep starts it.
///
/// Why: decision 045.
@Singleton
public final class Resumptions {
  private final BeanProvider<Executions> executions;
  private final StartGrace startGrace;

  public Resumptions(BeanProvider<Executions> executions, StartGrace startGrace) {
    this.executions = executions;
    this.startGrace = startGrace;
  }

  /// Queues a turn again, by a change that asks whether it may be.
  Change queued(Change change, Turn turn, Instant now) {
    return change
        .set(TurnItem.STATUS, TurnStatus.QUEUED)
        .set(TurnItem.DISPATCH, turn.dispatch() + 1)
        .set(TurnItem.QUEUED_AT, now)
        .set(Attribute.DUE_AT, startGrace.dueAt(now))
        .remove(TurnItem.FAILED_STARTS, TurnItem.LAUNCHED);
  }

  /// Starts it, once that is written.
  ///
  /// @param turn as it was before
  void start(Turn turn) {
    executions.get().start(turn.key(), turn.dispatch() + 1);
  }
}
