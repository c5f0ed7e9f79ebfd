package agentsessions.turn;

import agentsessions.aws.RunnerTasks;
import agentsessions.aws.Tasks;
import agentsessions.session.Turn;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tasks of engines that failed before their runner could claim: asked for when nobody has claimed
/// a turn in time, so that what can never start is told and is not started for hours.
@Singleton
public final class FailedStarts {
  private static final Logger LOG = LoggerFactory.getLogger(FailedStarts.class);

  private final Tasks tasks;
  private final BeanProvider<RunnerTasks> runners;

  public FailedStarts(Tasks tasks, BeanProvider<RunnerTasks> runners) {
    this.tasks = tasks;
    this.runners = runners;
  }

  /// Whether the task that was started for a turn's present dispatch has failed for a reason of its
  /// own. The log then says why, in the engine's words.
  boolean isOne(Turn turn) {
    Optional<String> task = tasks.started(turn.key(), turn.dispatch());
    Optional<String> reason = task.flatMap(known -> runners.get().failure(known));
    reason.ifPresent(why ->
        LOG.atWarn()
            .addKeyValue("session", turn.sessionId())
            .addKeyValue("turn", turn.id())
            .addKeyValue("dispatch", turn.dispatch())
            .addKeyValue("task", task.orElse(""))
            .addKeyValue("reason", why)
            .log("turn.task_failed"));
    return reason.isPresent();
  }
}
