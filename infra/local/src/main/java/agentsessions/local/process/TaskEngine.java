package agentsessions.local.process;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The task engine: runs sessions' tasks with Docker and removes them when it closes. Containers
/// that a killed service left running are removed at the next start.
public final class TaskEngine implements AutoCloseable {
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(10);

  private final TaskPlan plan;
  private final PortForwarding portForwarding;
  private final Map<ContainerTask, Thread> running = new ConcurrentHashMap<>();

  private TaskEngine(TaskPlan plan, PortForwarding portForwarding) {
    this.plan = plan;
    this.portForwarding = portForwarding;
  }

  /// Opens the engine, after it has removed leftover containers.
  ///
  /// @throws CannotStart if a Docker command fails
  public static TaskEngine open(TaskPlan plan) throws InterruptedException {
    removeLeftovers(plan);
    return new TaskEngine(plan, PortForwarding.open(plan.ports()));
  }

  /// Starts a task; it may take seconds until it runs.
  ///
  /// @param id a new id, never used before
  /// @param runner what this launch adds to the environment of the runner's container
  /// @param proxy the same for the proxy's container
  /// @param ended called once when the task has ended
  public ContainerTask start(
      String id,
      Map<String, String> runner,
      Map<String, String> proxy,
      Consumer<ContainerTask> ended) {
    ContainerTask task = new ContainerTask(plan, portForwarding, id, runner, proxy);
    Thread thread =
        Thread.ofVirtual()
            .name("task-" + id)
            .unstarted(() -> {
              task.run();
              ended.accept(task);
              running.remove(task);
            });
    running.put(task, thread);
    thread.start();
    return task;
  }

  /// The number of live tasks.
  public int count() {
    return running.size();
  }

  @Override
  public void close() {
    Map<ContainerTask, Thread> last = Map.copyOf(running);
    last.keySet().parallelStream().forEach(ContainerTask::end);
    last.values().forEach(TaskEngine::await);
    portForwarding.close();
  }

  private static void await(Thread thread) {
    try {
      boolean _ = thread.join(LONGEST_GOODBYE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeLeftovers(TaskPlan plan) throws InterruptedException {
    try {
      String left =
          Docker.ask(
              List.of("ps", "--all", "--quiet", "--filter", "label=" + ContainerTask.label(plan)));
      if (!left.isEmpty()) {
        List<String> words = new ArrayList<>(List.of("rm", "--force", "--volumes"));
        words.addAll(left.lines().toList());
        String _ = Docker.ask(words);
      }
    } catch (Docker.Failed | IOException e) {
      throw new CannotStart("Docker does not tidy up: " + Failures.text(e), e);
    }
  }
}
