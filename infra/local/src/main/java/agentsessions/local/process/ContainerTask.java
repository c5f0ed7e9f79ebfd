package agentsessions.local.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A session's task: three containers. One has the runner and its agents, one is the proxy that
/// keeps the models' keys, and one provides the loopback network of all three, with forwarded ports
/// of this machine. They share nothing else. A container lives as long as its `docker run` command.
public final class ContainerTask {
  /// Longer than the half minute that the runner itself takes to stop.
  private static final int GOODBYE_SECONDS = 40;

  private static final Duration PROXY_TIMEOUT = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 100;

  /// The memory of the runner itself, in addition to a turn's.
  private static final int OWN_MEMORY_MIB = 512;

  /// Any user but root.
  private static final String PROXY_USER = "10002:10002";

  private static final int SMALL_MEMORY_MIB = 256;
  private static final List<String> NO_PRIVILEGES =
      List.of("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--init");
  private static final Logger log = LoggerFactory.getLogger(ContainerTask.class);

  private final TaskPlan plan;
  private final PortForwarding portForwarding;
  private final String id;
  private final Map<String, String> runnerEnvironment;
  private final Map<String, String> proxyEnvironment;
  private final List<Process> processes = new ArrayList<>();
  private volatile Status status = Status.PROVISIONING;
  private volatile @Nullable String reason;
  private volatile boolean unstarted;
  private volatile @Nullable Integer exit;

  ContainerTask(
      TaskPlan plan,
      PortForwarding portForwarding,
      String id,
      Map<String, String> runner,
      Map<String, String> proxy) {
    this.plan = plan;
    this.portForwarding = portForwarding;
    this.id = id;
    this.runnerEnvironment = joined(plan.runner(), runner);
    this.proxyEnvironment = joined(plan.proxy(), proxy);
  }

  /// The states of ECS that this engine distinguishes.
  public enum Status {
    PROVISIONING,
    RUNNING,
    STOPPED
  }

  public String id() {
    return id;
  }

  public Status status() {
    return status;
  }

  /// The reason of a stop; null if the task runs or has ended by itself.
  public @Nullable String reason() {
    return reason;
  }

  /// Whether the task could not be started.
  public boolean isUnstarted() {
    return unstarted;
  }

  /// The runner's exit code; null before its end, and if it never ran.
  public @Nullable Integer exit() {
    return exit;
  }

  /// The label that marks containers of this service.
  static String label(TaskPlan plan) {
    return "agent-sessions.data=" + plan.owner();
  }

  /// Runs the task from its start to its end.
  void run() {
    try {
      begin();
    } catch (IOException | Docker.Failed failed) {
      failed(failed.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      end();
      status = Status.STOPPED;
    }
  }

  /// Asks the runner to exit, for which it has 40 seconds; returns at once.
  public void stop(String why) {
    synchronized (this) {
      if (reason != null || status == Status.STOPPED) {
        return;
      }
      reason = why;
    }
    Thread _ = Thread.ofVirtual().start(this::stopRunner);
  }

  /// Removes the containers at once.
  void end() {
    synchronized (this) {
      if (reason == null && status != Status.STOPPED && exit == null) {
        reason = "the service ends";
      }
    }
    try {
      String _ =
          Docker.ask(
              List.of("rm", "--force", "--volumes", name("runner"), name("proxy"), name("ways")));
    } catch (Docker.Failed gone) {
      log.debug("the containers were gone", gone);
    } catch (IOException failed) {
      log.warn("Containers of a task are left, and go at the next start", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    started().forEach(Process::destroy);
  }

  private synchronized void failed(@Nullable String why) {
    if (reason == null) {
      log.warn("A task has not started: {}", why);
      reason = "CannotStartContainerError: it did not start: " + why;
      unstarted = true;
    }
  }

  private void begin() throws IOException, InterruptedException, Docker.Failed {
    awaitPortForwards(start(portForwards()));
    Process proxy = start(proxy().redirectOutput(Redirect.appendTo(plan.logFile().toFile())));
    awaitProxy(proxy);
    Process runner = start(runner().redirectOutput(Redirect.appendTo(plan.logFile().toFile())));
    status = Status.RUNNING;
    CompletableFuture<Void> _ =
        proxy.onExit().thenRun(() -> stop("the container of the models' keys has ended"));
    exit = runner.waitFor();
  }

  /// Waits for the line that the container prints when it listens.
  private static void awaitPortForwards(Process process) throws IOException, Docker.Failed {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    @Nullable String line = output.readLine();
    if (!"listens".equals(line)) {
      throw new Docker.Failed(String.valueOf(line));
    }
    Thread _ = Thread.startVirtualThread(() -> drain(output));
  }

  private static void drain(BufferedReader output) {
    try {
      long _ = output.transferTo(Writer.nullWriter());
    } catch (IOException gone) {
      // The container has ended; its output is discarded anyway.
    }
  }

  private void awaitProxy(Process proxy) throws IOException, InterruptedException, Docker.Failed {
    long deadline = System.nanoTime() + PROXY_TIMEOUT.toNanos();
    while (!listens()) {
      if (System.nanoTime() - deadline > 0 || proxy.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new Docker.Failed("the container of the models' keys does not listen");
      }
    }
  }

  private boolean listens() throws IOException, InterruptedException {
    try {
      String _ = Docker.ask(List.of("exec", name("proxy"), "/opt/agent-sessions/entry", "check"));
      return true;
    } catch (Docker.Failed notYet) {
      return false;
    }
  }

  private synchronized Process start(ProcessBuilder container) throws IOException, Docker.Failed {
    if (reason != null) {
      throw new Docker.Failed("it was stopped before");
    }
    Process process = container.start();
    process.getOutputStream().close();
    processes.add(process);
    return process;
  }

  private synchronized List<Process> started() {
    return List.copyOf(processes);
  }

  /// Stops the runner's container; tries again while Docker has not created it yet.
  private void stopRunner() {
    try {
      boolean isOver = false;
      while (!isOver && status == Status.RUNNING && !hasStopped()) {
        isOver = started().getLast().waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (IOException failed) {
      log.warn("A task cannot be stopped", failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasStopped() throws IOException, InterruptedException {
    try {
      String _ =
          Docker.ask(List.of("stop", "--time", Integer.toString(GOODBYE_SECONDS), name("runner")));
      return true;
    } catch (Docker.Failed notYet) {
      return false;
    }
  }

  /// The container that forwards ports of its loopback to this machine's.
  private ProcessBuilder portForwards() {
    List<String> words = words("ways", SMALL_MEMORY_MIB, plan.image().network());
    words.addAll(NO_PRIVILEGES);
    // The folder is readable by the service's user only.
    words.addAll(
        List.of(
            "--read-only",
            "--cap-add",
            "DAC_OVERRIDE",
            "--volume",
            portForwarding.folder() + ":/ways:ro"));
    words.addAll(List.of(plan.image().name(), "ways"));
    portForwarding
        .ports()
        .forEach(port -> words.addAll(List.of(Integer.toString(port), "/ways/" + port)));
    return Docker.run(Map.of(), words);
  }

  private ProcessBuilder proxy() {
    List<String> words = words("proxy", SMALL_MEMORY_MIB, "container:" + name("ways"));
    words.addAll(NO_PRIVILEGES);
    words.addAll(List.of("--read-only", "--tmpfs", "/tmp", "--user", PROXY_USER));
    plan.catalogue()
        .ifPresent(file ->
            words.addAll(List.of("--volume", file + ":/opt/agent-sessions/agents.yaml:ro")));
    words.addAll(List.of(plan.image().name(), "proxy"));
    return Docker.run(proxyEnvironment, words);
  }

  /// The runner's container: root with the privileges that it needs to run agents as another user.
  private ProcessBuilder runner() {
    List<String> words =
        words("runner", plan.memoryMib() + OWN_MEMORY_MIB, "container:" + name("ways"));
    words.addAll(NO_PRIVILEGES);
    List.of("SETUID", "SETGID", "KILL", "CHOWN", "DAC_OVERRIDE")
        .forEach(capability -> words.addAll(List.of("--cap-add", capability)));
    words.addAll(List.of(plan.image().name(), "runner"));
    return Docker.run(runnerEnvironment, words);
  }

  private List<String> words(String container, int memoryMib, String network) {
    String memory = memoryMib + "m";
    return new ArrayList<>(
        List.of(
            "--name",
            name(container),
            "--label",
            label(plan),
            "--network",
            network,
            "--memory",
            memory,
            "--memory-swap",
            memory,
            "--pids-limit",
            "2048"));
  }

  private String name(String container) {
    return "task-" + id + "-" + container;
  }

  private static Map<String, String> joined(Map<String, String> one, Map<String, String> other) {
    Map<String, String> joined = new HashMap<>(one);
    joined.putAll(other);
    return joined;
  }
}
