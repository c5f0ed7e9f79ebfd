package agentsessions.turn;

import agentsessions.aws.Turns;
import agentsessions.session.Ending;
import agentsessions.session.SessionId;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnId;
import agentsessions.session.TurnStatus;
import agentsessions.session.Workspace;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The trusted steps of an execution: begin, before the runner runs, and fail, when anything went
/// wrong.
@Singleton
public final class TurnSteps {
  /// Which dispatch of which turn an execution stands for.
  public record Dispatch(Workspace workspace, SessionId session, TurnId turn, int number) {}

  /// What the execution does after `begin`.
  public sealed interface Next {
    record Run(String ticket, String url) implements Next {}

    record Wait() implements Next {}

    record End() implements Next {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(TurnSteps.class);

  /// How long a turn may wait for the previous turn's runner to let go of the sandbox.
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

  private final Turns turns;
  private final Dispatches dispatches;
  private final Endings endings;
  private final AgentCatalogue catalogue;
  private final Clock clock;

  TurnSteps(
      Turns turns, Dispatches dispatches, Endings endings, AgentCatalogue catalogue, Clock clock) {
    this.turns = turns;
    this.dispatches = dispatches;
    this.endings = endings;
    this.catalogue = catalogue;
    this.clock = clock;
  }

  public Next begin(Dispatch dispatch) {
    Optional<Turn> found = turn(dispatch).filter(turn -> turn.status() == TurnStatus.QUEUED);
    if (found.isEmpty()) {
      return new Next.End();
    }
    Turn turn = found.get();
    if (catalogue.find(turn.agentName()).isEmpty()) {
      return giveUp(turn, TurnError.agentNotAvailable(turn.agentName()));
    }
    if (dispatches.sandboxBusy(turn)) {
      return await(turn);
    }
    Pass ticket = Pass.ticket(turn);
    return dispatches.handOver(turn, ticket.hash())
        ? new Next.Run(ticket.text(), turn.baseUrl() + "/runner/v1")
        : new Next.End();
  }

  /// Closes a turn whose runner failed; one that nobody claimed goes back to the sweep, which
  /// starts it again.
  public void fail(Dispatch dispatch) {
    // A lease renewed in between makes the turn differ from what was read: look again.
    while (turn(dispatch).filter(turn -> !failed(turn)).isPresent()) {
      LOG.atDebug().addKeyValue("turn", dispatch.turn()).log("turn.changed_meanwhile");
    }
  }

  private boolean failed(Turn turn) {
    log(turn, "turn.runner_failed");
    return turn.status() == TurnStatus.QUEUED
        ? dispatches.handBack(turn)
        : endings.endAsSeen(
            turn, Ending.failed(TurnStatus.FAILED, TurnError.runnerLost(), List.of()));
  }

  private Next await(Turn turn) {
    if (turn.firstStamp().instant().plus(LONGEST_WAIT).isBefore(clock.instant())) {
      return giveUp(turn, TurnError.notStarted());
    }
    return dispatches.await(turn) ? new Next.Wait() : new Next.End();
  }

  private Next giveUp(Turn turn, TurnError error) {
    endings.endAsSeen(turn, Ending.failed(TurnStatus.FAILED, error, List.of()));
    log(turn, "turn.given_up");
    return new Next.End();
  }

  private Optional<Turn> turn(Dispatch dispatch) {
    return turns
        .load(dispatch.workspace(), dispatch.session(), dispatch.turn())
        .filter(turn -> turn.live() && turn.dispatch() == dispatch.number());
  }

  private static void log(Turn turn, String event) {
    LOG.atInfo().addKeyValue("session", turn.sessionId()).addKeyValue("turn", turn.id()).log(event);
  }
}
