package agentsessions.runner.sandbox;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.ProcessOutput;
import agentsessions.runner.sandbox.process.ControlGroup;
import agentsessions.runner.sandbox.process.OutOfMemoryKills;
import agentsessions.runner.sandbox.process.ProcessTree;
import agentsessions.runner.sandbox.process.Spawner;
import agentsessions.runner.sandbox.process.UnreapedExit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The process of an agent's command. However it ends, all processes that it has started are gone
/// when {@link #await} returns.
public final class AgentProcess {
  private static final Set<AgentProcess> RUNNING = ConcurrentHashMap.newKeySet();
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int KILLED = 128 + 9;

  /// The longest wait for the rest of the output, which is there already: the reader may have to
  /// wait for a busy machine. Only a process that got away keeps it open for longer.
  private static final long END_OF_OUTPUT_MILLIS = 10_000;

  private final Process process;
  private final Sandbox sandbox;
  private final List<Thread> readers;
  private final long killedBefore = OutOfMemoryKills.count();
  private final UnreapedExit unreaped = new UnreapedExit();
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();

  /// The reason why the process ended: by itself, or stopped by the runner.
  public enum Ending {
    EXIT,
    NOT_LIVE,
    TIME_LIMIT,
    OUTPUT_LIMIT,
    MODEL_LIMIT,
    UNAPPROVED_CALL,
    REQUEST_EXPIRED,
    MEMORY,
    DISK_QUOTA,
    INODE_QUOTA,
    DISK_FULL;

    /// Whether it exceeded a disk limit. It is then killed without a grace period, in which it
    /// would only write more.
    public boolean isOfDisk() {
      return this == DISK_QUOTA || this == INODE_QUOTA || this == DISK_FULL;
    }
  }

  /// The end of the process: the reason and the exit status.
  ///
  /// @param status the exit status; as a shell has it, 128 plus the number, after a signal
  public record Exit(Ending ending, int status) {}

  private AgentProcess(
      Process process, Sandbox sandbox, ProcessOutput out, ProcessOutput err, Limits limits) {
    this.process = process;
    this.sandbox = sandbox;
    this.readers =
        List.of(
            reader(
                "stdout",
                () -> out.drain(process.getInputStream(), limits.output(), this::tooMuch)),
            reader(
                "stderr",
                () -> err.drain(process.getErrorStream(), limits.output(), this::tooMuch)));
  }

  /// Starts the agent and reads what it prints.
  public static AgentProcess start(
      ProcessBuilder command, Sandbox sandbox, ProcessOutput out, ProcessOutput err, Limits limits)
      throws IOException {
    AgentProcess started = new AgentProcess(Spawner.start(command), sandbox, out, err, limits);
    RUNNING.add(started);
    CompletableFuture<Void> _ = started.process.onExit().thenRun(() -> started.stop(Ending.EXIT));
    sandbox.started(started.process);
    return started;
  }

  /// Ends all agents of this JVM, at its shutdown.
  public static void endAll() {
    RUNNING.parallelStream().forEach(running -> running.sandbox.end(running.process));
  }

  /// All processes that it has started and that still run, as far as they can be found.
  public Stream<ProcessHandle> processes() {
    return sandbox.processes(process);
  }

  /// Requests that the agent be stopped; only the first reason counts.
  public void stop(Ending reason) {
    ending.complete(reason);
  }

  /// Has this run once the agent has ended by itself.
  public void onExit(Runnable action) {
    CompletableFuture<Void> _ =
        ending.thenAccept(reason -> {
          if (reason == Ending.EXIT) {
            action.run();
          }
        });
  }

  /// Waits until the agent has ended or must be stopped, stops it, and ends all processes that it
  /// has left.
  ///
  /// @param nanosLeft the time that it has left, which may shrink more slowly than time goes by
  public Exit await(LongSupplier nanosLeft, AgentEntry.Interrupt interrupt)
      throws InterruptedException {
    Ending reason;
    boolean starved = false;
    try {
      reason = reason(nanosLeft);
      if (reason != Ending.EXIT && !reason.isOfDisk()) {
        interrupt(interrupt);
        boolean _ = process.waitFor(interrupt.grace());
      }
      starved = reason == Ending.EXIT && isStarved(status());
    } finally {
      sandbox.end(process);
      RUNNING.remove(this);
    }
    for (Thread reader : readers) {
      reader.join(END_OF_OUTPUT_MILLIS);
    }
    return new Exit(starved ? Ending.MEMORY : reason, status());
  }

  private void interrupt(AgentEntry.Interrupt interrupt) {
    Optional<ProcessHandle> agent = sandbox.agent(process);
    if (agent.isPresent()) {
      interrupt.send(agent.get());
    }
  }

  private int status() throws InterruptedException {
    OptionalInt status = unreaped.status();
    return status.isPresent() ? status.getAsInt() : process.waitFor();
  }

  /// Whether the kernel has killed it for lack of memory. Without a control group: a kill that is
  /// not the runner's, while the kernel's count of such kills rose.
  private boolean isStarved(int status) {
    return status != 0
        && sandbox
            .group()
            .map(ControlGroup::hasRunOutOfMemory)
            .orElseGet(() -> status == KILLED && OutOfMemoryKills.count() > killedBefore);
  }

  private Ending reason(LongSupplier nanosLeft) throws InterruptedException {
    while (true) {
      long left = Math.min(POLL.toNanos(), nanosLeft.getAsLong());
      try {
        return ending.get(Math.max(left, 0), TimeUnit.NANOSECONDS);
      } catch (TimeoutException still) {
        poll(nanosLeft);
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private void poll(LongSupplier nanosLeft) {
    if (nanosLeft.getAsLong() <= 0) {
      stop(Ending.TIME_LIMIT);
    } else {
      checkForUnreapedExit();
    }
  }

  private void checkForUnreapedExit() {
    OptionalInt gone =
        sandbox.agent(process).map(ProcessTree::unreapedStatus).orElseGet(OptionalInt::empty);
    if (unreaped.check(ProcessTree.isGone(process.toHandle()), gone)) {
      stop(Ending.EXIT);
    }
  }

  private void tooMuch() {
    stop(Ending.OUTPUT_LIMIT);
  }

  private static Thread reader(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).start(work);
  }
}
