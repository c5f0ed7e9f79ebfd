package agentsessions.jobs.sweep;

import agentsessions.aws.RunnerTasks;
import agentsessions.session.Turn;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.turn.RunnerAddress;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The check for runners that were started and made no claim. The sweep makes it for a turn that
/// was not claimed in time, so that a turn that can never start fails soon, instead of being
/// started for hours.
@Singleton
public final class FailedStarts {
  private static final Logger LOG = LoggerFactory.getLogger(FailedStarts.class);

  private final TaskCallbacks tasks;
  private final BeanProvider<RunnerTasks> runners;
  private final RunnerAddress address;

  public FailedStarts(
      TaskCallbacks tasks, BeanProvider<RunnerTasks> runners, RunnerAddress address) {
    this.tasks = tasks;
    this.runners = runners;
    this.address = address;
  }

  /// Whether a runner in a task was started for a turn's present dispatch.
  boolean isInTask(Turn turn) {
    return tasks.started(turn.key(), turn.dispatch()).isPresent();
  }

  /// Whether a runner was started for a turn's present dispatch, and failed before its claim. For a
  /// runner in a task its engine is asked. If so, the log has the address that the runner should
  /// have called, and the reason, where it is known.
  boolean isOne(Turn turn, Turn.State.Queued queued) {
    if (!queued.launched()) {
      return false;
    }
    Optional<String> task = tasks.started(turn.key(), turn.dispatch());
    Optional<String> reason = task.flatMap(known -> runners.get().failure(known));
    boolean isOne = task.isEmpty() || reason.isPresent();
    if (isOne) {
      LOG.atWarn()
          .addKeyValue("session", turn.sessionId())
          .addKeyValue("turn", turn.id())
          .addKeyValue("dispatch", turn.dispatch())
          .addKeyValue("starts", queued.unclaimedStarts())
          .addKeyValue("address", address.of(turn))
          .addKeyValue("task", task.orElse("none"))
          .addKeyValue("reason", reason.orElse("not known"))
          .log("turn.started_in_vain");
    }
    return isOne;
  }
}
