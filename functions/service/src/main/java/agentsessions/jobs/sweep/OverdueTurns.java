package agentsessions.jobs.sweep;

import agentsessions.aws.Executions;
import agentsessions.session.Ending;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.store.session.Turns;
import agentsessions.turn.Dispatches;
import agentsessions.turn.Endings;
import agentsessions.turn.TurnQueue;
import agentsessions.turn.intake.Decisions;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sweep's handling of a live turn that is due: a turn that was never started is started, and
/// one that lost its runner or ran out of time is ended. A turn whose lease is alive is left alone,
/// unless its deadline is long past. What nobody has decided on in time expires, and with it ends a
/// turn that is parked for it.
@Singleton
public final class OverdueTurns {
  private static final Logger LOG = LoggerFactory.getLogger(OverdueTurns.class);

  private final Turns turns;
  private final Dispatches dispatches;
  private final Endings endings;
  private final Executions executions;
  private final FailedStarts failedStarts;
  private final TurnQueue queue;
  private final Decisions decisions;
  private final Clock clock;
  private final Duration lease;

  public OverdueTurns(
      Turns turns,
      Dispatches dispatches,
      Endings endings,
      Executions executions,
      FailedStarts failedStarts,
      TurnQueue queue,
      Decisions decisions,
      Clock clock,
      @Property(name = "lease.seconds", defaultValue = "45") int leaseSeconds) {
    this.turns = turns;
    this.dispatches = dispatches;
    this.endings = endings;
    this.executions = executions;
    this.failedStarts = failedStarts;
    this.queue = queue;
    this.decisions = decisions;
    this.clock = clock;
    this.lease = Duration.ofSeconds(leaseSeconds);
  }

  /// The index may lag: a turn that is no longer due is left alone. One that cannot be handled is
  /// put off, to make room for the others, before its fault is thrown. The time is taken before the
  /// turn is read, since the process may stand still between the two.
  public void handle(Turns.Due.OfTurn due) {
    try {
      Instant now = clock.instant();
      turns.load(due.turn()).filter(turn -> turn.due(now)).ifPresent(turn -> handle(turn, now));
    } catch (RuntimeException fault) {
      dispatches.postpone(due);
      throw fault;
    }
  }

  /// Starts a turn again that was queued before `end`, when its execution ended, and the runner
  /// that it may have been handed to. That counts as no failed start. Only a runner in a task may
  /// still claim it, and is left to.
  void recover(Turns.Due.OfTurn found, Instant end) {
    turns
        .load(found.turn())
        .filter(turn -> turn.queuedAt().isBefore(end))
        .filter(turn -> !failedStarts.isInTask(turn))
        .ifPresent(turn -> {
          if (turn.state() instanceof Turn.State.Queued queued) {
            handle(turn, queued.notStarted());
          }
        });
  }

  public void handle(Turns.Due.OfRequest due) {
    decisions.expireClosing(due.sessionKey(), due.request());
  }

  private void handle(Turn turn, Instant now) {
    switch (turn.state()) {
      case Turn.State.Waiting _ -> {
        dispatches.postpone(new Turns.Due.OfTurn(turn.key()));
        queue.next(turn.key().sessionKey());
      }
      case Turn.State.Queued queued ->
          handle(turn, failedStarts.isOne(turn, queued) ? queued : queued.notStarted());
      case Turn.State.Running running -> handle(turn, running, now);
      case Turn.State.Parked _ -> {
        boolean _ = end(turn, TurnStatus.FAILED, TurnError.requestExpired());
      }
      case Turn.State.Ended _ -> {}
    }
  }

  private void handle(Turn turn, Turn.State.Queued queued) {
    if (queued.unclaimedStarts() >= Turn.MAX_STARTS) {
      end(turn, TurnStatus.FAILED, TurnError.neverClaimed(queued.unclaimedStarts()));
    } else if (dispatches.queuedTooLong(turn)) {
      end(turn, TurnStatus.FAILED, TurnError.notStarted());
    } else if (dispatches.redispatch(turn, queued)) {
      log(turn, "turn.dispatched_again");
      executions.start(turn.key(), turn.dispatch() + 1);
    }
  }

  private void handle(Turn turn, Turn.State.Running running, Instant now) {
    boolean lost = !turn.leased(now);
    Instant late = lost ? now : now.minus(turn.reportGrace());
    if (turn.deadline(now).filter(deadline -> deadline.isBefore(late)).isPresent()) {
      end(turn, TurnStatus.TIMED_OUT, TurnError.timeLimit());
    } else if (lost && end(turn, TurnStatus.FAILED, TurnError.runnerLost())) {
      LOG.atWarn()
          .addKeyValue("session", turn.sessionId())
          .addKeyValue("turn", turn.id())
          .addKeyValue("last_renewal", running.leaseUntil().minus(lease))
          .log("turn.lease_lost");
    }
  }

  /// False if the turn has changed since it was read.
  private boolean end(Turn turn, TurnStatus status, TurnError error) {
    boolean isEnded = endings.endAsSeen(turn, Ending.failed(status, error, List.of()));
    if (isEnded) {
      log(turn, "turn.closed_by_sweep");
      executions.stop(turn.key(), turn.dispatch());
    }
    return isEnded;
  }

  private static void log(Turn turn, String event) {
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("dispatch", turn.dispatch())
        .log(event);
  }
}
