package agentsessions.turn;

import agentsessions.aws.RunnerTasks;
import agentsessions.session.Turn;
import agentsessions.session.id.TurnKey;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.SandboxLockItem;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tasks of engines that are to be stopped, since they do not end by themselves: on record until
/// the engine says that they are gone. A runner that lives learns by itself that its turn is over,
/// saves its sandbox and releases it; this is for one that does not, and for deleted sessions.
@Singleton
public final class TaskStops {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStops.class);

  /// The time after the end of its turn in which a runner must have released the sandbox, or be
  /// saving it.
  private static final Duration TO_LET_GO = Duration.ofMinutes(2);

  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final Table table;
  private final TaskCallbacks tasks;
  private final BeanProvider<RunnerTasks> runners;
  private final Clock clock;

  public TaskStops(
      Table table, TaskCallbacks tasks, BeanProvider<RunnerTasks> runners, Clock clock) {
    this.table = table;
    this.tasks = tasks;
    this.runners = runners;
    this.clock = clock;
  }

  /// The stop of the task that runs a turn.
  ///
  /// @param task null where none does, or its stop is on record already
  record TaskStop(TurnKey turn, @Nullable String task, List<Write> writes) {
    /// To be called once it is written.
    void log() {
      if (task != null) {
        LOG.atInfo()
            .addKeyValue("session", turn.sessionId())
            .addKeyValue("turn", turn.id())
            .addKeyValue("task", task)
            .log("task.to_be_stopped");
      }
    }
  }

  /// Has the sweep stop the task that runs a turn, if one does.
  public void want(TurnKey turn) {
    TaskStop stop = stop(turn);
    if (!stop.writes().isEmpty() && table.write(stop.writes()).committed()) {
      stop.log();
    }
  }

  /// The stop of the task that runs a turn, if one does: for the transaction after which nothing
  /// leads to that task any more.
  TaskStop stop(TurnKey turn) {
    return tasks
        .started(turn)
        .map(task -> stop(turn, task))
        .orElseGet(() -> new TaskStop(turn, null, List.of()));
  }

  /// The same, where its runner still renews its lease, but should have released the sandbox.
  public void wantLate(Turn turn) {
    boolean late =
        turn.ended()
            .filter(end -> end.endedAt().plus(TO_LET_GO).isBefore(clock.instant()))
            .isPresent();
    if (late && !isSaving(turn)) {
      want(turn.key());
    }
  }

  /// Asks the engine once to stop a task; the record stays until the task is gone.
  public void handle(Layout.Key stop) {
    if (runners.get().stop(stop.task())) {
      table.purge(List.of(stop));
      LOG.atInfo().addKeyValue("task", stop.task()).log("task.gone");
    } else {
      boolean _ =
          table
              .write(
                  Change.of(stop)
                      .set(Attribute.DUE_AT, clock.instant().plus(AGAIN))
                      .when("attribute_exists(#PK)")
                      .update())
              .committed();
    }
  }

  private TaskStop stop(TurnKey turn, String task) {
    Layout.Key stop = Layout.stop(turn.sessionKey().workspace(), task);
    // A record that is there already keeps its time.
    Change record =
        Change.of(stop)
            .initially(Attribute.LIVE, Shards.stop(task))
            .initially(Attribute.DUE_AT, clock.instant());
    // The task must not take another turn.
    Write standby = Change.of(Layout.standby(turn.sessionKey())).delete();
    return new TaskStop(
        turn, table.item(stop).isPresent() ? null : task, List.of(record.update(), standby));
  }

  private boolean isSaving(Turn turn) {
    Optional<Item> lock = table.item(Layout.sandboxLock(turn.key().sessionKey()));
    return lock.filter(item -> item.has(SandboxLockItem.UPLOAD)).isPresent();
  }
}
