package agentsessions.turn;

import agentsessions.aws.Executions;
import agentsessions.aws.Turns;
import agentsessions.session.Ending;
import agentsessions.session.SessionId;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What makes every turn end: it starts what was never started, closes what lost its runner or its
/// time, and removes what was deleted. It touches no turn whose lease is alive.
@Singleton
public final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
  private static final int SHARDS = 8;
  private static final int MOST = 100;

  private final Turns turns;
  private final Dispatches dispatches;
  private final Endings endings;
  private final Executions executions;
  private final Purge purge;
  private final Clock clock;

  Sweep(
      Turns turns,
      Dispatches dispatches,
      Endings endings,
      Executions executions,
      Purge purge,
      Clock clock) {
    this.turns = turns;
    this.dispatches = dispatches;
    this.endings = endings;
    this.executions = executions;
    this.purge = purge;
    this.clock = clock;
  }

  /// One pass over everything that is due: how many things were looked at, and the deleted sessions
  /// whose data is being removed (each is named in at least one pass; whoever keeps their sandboxes
  /// elsewhere removes them too).
  public Swept run() {
    int seen = 0;
    List<SessionId> purged = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      List<Turns.Due> due = turns.due(shard, MOST);
      due.forEach(one -> handle(one, purged));
      seen += due.size();
    }
    return new Swept(seen, purged);
  }

  /// What a pass did.
  public record Swept(int seen, List<SessionId> purged) {}

  /// One thing that cannot be handled must not keep the others from being handled. The index may be
  /// late: a turn that was put off since is left alone.
  private void handle(Turns.Due due, List<SessionId> purged) {
    try {
      switch (due) {
        case Turns.Due.OfSession gone -> purge(gone, purged);
        case Turns.Due.OfTurn of ->
            turns
                .load(of.workspace(), of.session(), of.turn())
                .filter(turn -> turn.live() && isDue(turn))
                .ifPresent(this::handle);
      }
    } catch (RuntimeException fault) {
      LOG.atError().addKeyValue("due", due).setCause(fault).log("sweep.failed");
    }
  }

  private void purge(Turns.Due.OfSession gone, List<SessionId> purged) {
    if (!purge.mustWait(gone.workspace(), gone.session())) {
      purge.step(gone.workspace(), gone.session());
      purged.add(gone.session());
    }
  }

  private void handle(Turn turn) {
    if (turn.status() == TurnStatus.RUNNING) {
      handleRunning(turn);
    } else if (turn.dispatch() >= Turn.MAX_DISPATCHES) {
      end(turn, TurnStatus.FAILED, TurnError.notStarted());
    } else if (dispatches.redispatch(turn)) {
      log(turn, "turn.dispatched_again");
      executions.start(turn.workspace(), turn.sessionId(), turn.id(), turn.dispatch() + 1);
    }
  }

  private void handleRunning(Turn turn) {
    Instant now = clock.instant();
    if (passed(turn.deadline(), now)) {
      end(turn, TurnStatus.TIMED_OUT, TurnError.timeLimit());
    } else if (passed(turn.leaseUntil(), now)) {
      end(turn, TurnStatus.FAILED, TurnError.runnerLost());
    }
  }

  private void end(Turn turn, TurnStatus status, TurnError error) {
    if (endings.endAsSeen(turn, Ending.failed(status, error, List.of()))) {
      log(turn, "turn.closed_by_sweep");
      executions.stop(turn.id(), turn.dispatch());
    }
  }

  private boolean isDue(Turn turn) {
    Instant due = turn.dueAt();
    return due != null && !due.isAfter(clock.instant());
  }

  private static boolean passed(@Nullable Instant moment, Instant now) {
    return moment != null && moment.isBefore(now);
  }

  private static void log(Turn turn, String event) {
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("dispatch", turn.dispatch())
        .log(event);
  }
}
