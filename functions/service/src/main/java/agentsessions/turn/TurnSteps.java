package agentsessions.turn;

import agentsessions.aws.RunnerFunction;
import agentsessions.aws.RunnerLauncher;
import agentsessions.aws.RunnerTasks;
import agentsessions.session.Agent;
import agentsessions.session.Ending;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.TurnKey;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.store.session.Turns;
import agentsessions.table.NotAllowed;
import agentsessions.table.Retries;
import agentsessions.turn.catalogue.AgentCatalogue;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The trusted steps of an execution: run, which has a runner started, and fail, which handles any
/// failure.
@Singleton
public final class TurnSteps {
  /// The dispatch of a turn that an execution stands for.
  public record Dispatch(TurnKey turn, int number) {}

  /// The next step of a dispatch that an execution begins.
  public sealed interface Next {
    /// A runner is to be started.
    record Run(RunnerLauncher runners, RunnerLauncher.Launch launch) implements Next {}

    /// A waiting task has taken the turn.
    record Taken() implements Next {}

    /// Whoever holds the sandbox has the task tried again when it lets go.
    record Wait() implements Next {}

    /// The task is to be tried again after a pause.
    record Again() implements Next {}

    record End() implements Next {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(TurnSteps.class);

  /// The time after it was queued for which a turn's execution itself waits for the sandbox, which
  /// the turn before may still hold.
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

  /// The error for a busy sandbox: Step Functions tries the task again after a second.
  private static final String SANDBOX_BUSY = "agentsessions.SandboxBusy";

  /// The error for a launch that Lambda has dropped for want of room.
  private static final String DROPPED = "agentsessions.LaunchDropped";

  /// The errors of Step Functions and of this service after which no runner was started, for want
  /// of room.
  private static final Set<String> NO_ROOM =
      Set.of(
          "Lambda.TooManyRequestsException", "Lambda.EC2ThrottledException", SANDBOX_BUSY, DROPPED);

  /// The error of the engine on one machine when the whole service is stopped: the runner was ended
  /// first, so its lease need not be waited for.
  private static final String STOPPED = "Service.Stopped";

  /// The error of that engine when it saw the process of the runner end. (Lambda's own error for
  /// that may concern another process than the one that claimed.)
  private static final String ENDED = "Runner.Ended";

  private final Turns turns;
  private final Dispatches dispatches;
  private final Endings endings;
  private final AgentCatalogue catalogue;
  private final TaskCallbacks tasks;
  private final Standby standby;
  private final Handover handover;
  private final RunnerFunction function;
  private final BeanProvider<RunnerTasks> engineTasks;
  private final RunnerAddress address;
  private final Clock clock;

  public TurnSteps(
      Turns turns,
      Dispatches dispatches,
      Endings endings,
      AgentCatalogue catalogue,
      TaskCallbacks tasks,
      Standby standby,
      Handover handover,
      RunnerFunction function,
      BeanProvider<RunnerTasks> engineTasks,
      RunnerAddress address,
      Clock clock) {
    this.turns = turns;
    this.dispatches = dispatches;
    this.endings = endings;
    this.catalogue = catalogue;
    this.tasks = tasks;
    this.standby = standby;
    this.handover = handover;
    this.function = function;
    this.engineTasks = engineTasks;
    this.address = address;
    this.clock = clock;
  }

  /// Has a runner started for a turn, and keeps the token of the task until that runner ends it.
  /// While another turn holds the sandbox the task waits, or is to be tried again after a pause; it
  /// ends here if the turn has moved on. Where AWS refuses a call for want of a permission the turn
  /// ends, since a later try would be refused, too.
  ///
  /// @param attempt how often the task was tried before
  /// @param token of the task
  public void run(Dispatch dispatch, int attempt, String token) {
    try {
      switch (begin(dispatch, attempt, token)) {
        case Next.Run run -> launch(dispatch, run, token);
        case Next.Taken _, Next.Wait _ -> {}
        case Next.Again _ -> tasks.fail(dispatch.turn(), token, SANDBOX_BUSY);
        case Next.End _ -> tasks.succeed(dispatch.turn(), token);
      }
    } catch (NotAllowed fault) {
      turn(dispatch).ifPresent(turn -> cannotBeLaunched(turn, String.valueOf(fault.getMessage())));
      tasks.succeed(dispatch.turn(), token);
    }
  }

  public Next begin(Dispatch dispatch, int attempt, String token) {
    Optional<Turns.Locked> found =
        turns.locked(dispatch.turn()).filter(seen -> isQueued(dispatch, seen.turn()));
    if (found.isEmpty()) {
      return new Next.End();
    }
    Turn turn = found.get().turn();
    Optional<Agent> agent = catalogue.find(turn.agentName());
    if (agent.isEmpty()) {
      return catalogue.has(turn.agentName())
          ? awaitAgent(turn)
          : giveUp(turn, TurnError.agentNotAvailable(turn.agentName()));
    }
    Optional<SandboxLock> held = handover.heldBefore(turn, found.get().lock());
    if (held.isPresent()) {
      return await(turn, held.get(), token).orElseGet(() -> begin(dispatch, attempt, token));
    }
    tasks.keep(turn.key(), token);
    boolean hasTasks = agent.get().engine().hasTasks();
    if (hasTasks && standby.offer(turn, attempt)) {
      return new Next.Taken();
    }
    RunnerLauncher runners = hasTasks ? engineTasks.get() : function;
    RunnerCredential ticket = RunnerCredential.ticket(turn, attempt);
    String url = address.of(turn);
    return dispatches.recordLaunch(turn, ticket.hash(), runners.claimTime())
        ? new Next.Run(
            runners,
            new RunnerLauncher.Launch(turn.key(), ticket.text(), url, turn.dispatch(), attempt))
        : new Next.End();
  }

  private void launch(Dispatch dispatch, Next.Run run, String token) {
    switch (run.runners().launch(run.launch())) {
      case RunnerLauncher.Launched.Begun(Optional<String> task) ->
          task.ifPresent(known -> tasks.begun(dispatch.turn(), dispatch.number(), known));
      case RunnerLauncher.Launched.Unheard _ -> turn(dispatch).ifPresent(dispatches::recordUnheard);
      case RunnerLauncher.Launched.NoRoom _ -> {
        turn(dispatch).ifPresent(this::waitsForRoom);
        tasks.succeed(dispatch.turn(), token);
      }
      case RunnerLauncher.Launched.Refused(String why) -> {
        turn(dispatch).ifPresent(turn -> cannotBeLaunched(turn, why));
        tasks.succeed(dispatch.turn(), token);
      }
    }
  }

  private boolean waitsForRoom(Turn turn) {
    log(turn, "turn.waits_for_room");
    return dispatches.recordNoLaunch(turn);
  }

  private void cannotBeLaunched(Turn turn, String why) {
    LOG.atError()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("reason", why)
        .log("turn.launch_mistaken");
    Next _ = giveUp(turn, TurnError.launchRefused());
  }

  /// Handles a launch that failed after Lambda had accepted it. The caller must know the ticket, as
  /// only the launcher does.
  ///
  /// @param error of the runner; empty where none was started
  public void launchFailed(RunnerCredential ticket, Optional<String> error) {
    turns
        .byTicket(ticket.turn(), ticket.hash())
        .filter(turn -> turn.state() instanceof Turn.State.Queued)
        .ifPresent(turn -> tasks.fail(turn.key(), error.orElse(DROPPED)));
  }

  /// Leaves a turn that was never claimed to the sweep, which starts it again; closes one that lost
  /// its runner. `error` is the reason, in Step Functions' words. A turn whose lease is alive is
  /// left to the sweep, too: it has a runner, even if this execution's failed, unless that is known
  /// to be gone.
  public void fail(Dispatch dispatch, String error) {
    Optional<Turn> turn = turn(dispatch);
    // The turn has changed in between: it is looked at again.
    for (int tries = 0; turn.isPresent() && !failed(turn.get(), error); tries++) {
      Retries.pause("fail", tries);
      turn = turn(dispatch);
    }
  }

  private boolean failed(Turn turn, String error) {
    if (turn.state() instanceof Turn.State.Queued) {
      return requeue(turn, error);
    }
    boolean stopped = error.equals(STOPPED);
    boolean gone = stopped || error.equals(ENDED);
    if (!gone && turn.leased(clock.instant())) {
      log(turn, "turn.left_to_its_lease");
      return true;
    }
    log(turn, "turn.runner_failed");
    TurnError reason = stopped ? TurnError.serviceStopped() : TurnError.runnerLost();
    return endings.endAsSeen(turn, Ending.failed(TurnStatus.FAILED, reason, List.of()));
  }

  private boolean requeue(Turn turn, String error) {
    if (NO_ROOM.contains(error)) {
      return waitsForRoom(turn);
    }
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("error", error)
        .log("turn.handed_back");
    return error.equals(STOPPED) ? dispatches.recordNoLaunch(turn) : dispatches.recordFailure(turn);
  }

  /// Waits, for as long as a turn may be queued, for an agent that is in the catalogue and cannot
  /// run now.
  private Next awaitAgent(Turn turn) {
    if (dispatches.queuedTooLong(turn)) {
      return giveUp(turn, TurnError.notStarted());
    }
    log(turn, "turn.waits_for_its_agent");
    boolean _ = dispatches.recordNoLaunch(turn);
    return new Next.End();
  }

  /// Empty where the sandbox was let go meanwhile, so that there is nothing to wait for.
  private Optional<Next> await(Turn turn, SandboxLock held, String token) {
    if (dispatches.queuedTooLong(turn)) {
      return Optional.of(giveUp(turn, TurnError.notStarted()));
    }
    if (turn.queuedAt().plus(LONGEST_WAIT).isBefore(clock.instant())) {
      boolean _ = dispatches.recordNoLaunch(turn);
      return Optional.of(new Next.End());
    }
    if (!dispatches.await(turn, held.leaseUntil())) {
      return Optional.of(new Next.End());
    }
    if (!handover.isExpected(held)) {
      return Optional.of(new Next.Again());
    }
    tasks.keep(turn.key(), token);
    return handover.name(held, turn) ? Optional.of(new Next.Wait()) : Optional.empty();
  }

  private Next giveUp(Turn turn, TurnError error) {
    endings.endAsSeen(turn, Ending.failed(TurnStatus.FAILED, error, List.of()));
    log(turn, "turn.given_up");
    return new Next.End();
  }

  private Optional<Turn> turn(Dispatch dispatch) {
    return turns.load(dispatch.turn()).filter(turn -> isLive(dispatch, turn));
  }

  /// The execution of a turn that is parked is over, and may not know it.
  private static boolean isLive(Dispatch dispatch, Turn turn) {
    return turn.live()
        && !(turn.state() instanceof Turn.State.Parked)
        && turn.dispatch() == dispatch.number();
  }

  private static boolean isQueued(Dispatch dispatch, Turn turn) {
    return isLive(dispatch, turn) && turn.state() instanceof Turn.State.Queued;
  }

  private static void log(Turn turn, String event) {
    LOG.atInfo().addKeyValue("session", turn.sessionId()).addKeyValue("turn", turn.id()).log(event);
  }
}
