package agentsessions.local.process;

import agentsessions.local.process.RunnerProcess.NotBegun;
import agentsessions.local.steps.Lambda;
import agentsessions.local.steps.StepError;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pool of runner processes. Where a sandbox keeps turns apart one process runs them all, since
/// a process costs about a second of processor time and 80 MB; where nothing does each runs one at
/// a time.
///
/// One process with room is kept started, so that a turn does not wait for a JVM. A process gets no
/// more turns once one has left something behind in it, and ends with its last.
public final class RunnerPool implements Lambda, AutoCloseable {
  /// The limit of turns at once: who invokes keeps to it.
  public static final int PLACES = 32;

  /// The time for which surplus idle processes are kept.
  private static final Duration REST = Duration.ofSeconds(60);

  /// The limit of processes to which a turn is given, if they end before they begin it.
  private static final int TRIES = 3;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Logger log = LoggerFactory.getLogger(RunnerPool.class);

  private final RunnerCommand command;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("runner").factory());

  /// Processes with room for a turn, the most recently used first; guarded by this.
  private final Deque<RunnerProcess> free = new ArrayDeque<>();

  /// All live processes; guarded by this.
  private final Set<RunnerProcess> all = new HashSet<>();

  /// The live processes that get no more turns; guarded by this.
  private final Set<RunnerProcess> spent = new HashSet<>();

  private Duration pause = SHORTEST_PAUSE;
  private boolean closed;

  public RunnerPool(RunnerCommand command) {
    this.command = command;
  }

  /// Starts the first process.
  public void start() {
    keepOneFree();
    Future<?> _ =
        timer.scheduleWithFixedDelay(
            this::endIdle, REST.toSeconds(), REST.toSeconds() / 4, TimeUnit.SECONDS);
  }

  /// The ids of all processes, for tests that kill them.
  public synchronized List<Long> pids() {
    return all.stream().map(RunnerProcess::pid).toList();
  }

  /// Runs a turn and waits for its end. If the wait is interrupted, the turn goes on.
  @Override
  public byte[] invoke(byte[] payload) throws InterruptedException {
    for (int tries = 0; tries < TRIES; tries++) {
      try {
        return begun(payload).get().body();
      } catch (ExecutionException failed) {
        requireNotBegun(failed.getCause());
      }
    }
    throw new StepError("Lambda.ServiceException", "the runner's processes do not start");
  }

  @Override
  public void close() {
    List<RunnerProcess> last;
    synchronized (this) {
      closed = true;
      last = List.copyOf(all);
    }
    timer.shutdownNow();
    last.parallelStream().forEach(RunnerProcess::close);
  }

  private static void requireNotBegun(@Nullable Throwable cause) {
    if (cause instanceof StepError error) {
      throw error;
    }
    if (!(cause instanceof NotBegun)) {
      throw new StepError("Lambda.Unknown", String.valueOf(cause));
    }
  }

  private CompletableFuture<RunnerProcess.Answer> begun(byte[] payload) {
    Begun begun = begin(payload);
    return begun
        .answer()
        .whenComplete(
            (answer, _) -> giveBack(begun.process(), answer != null && answer.reusable()));
  }

  private record Begun(RunnerProcess process, CompletableFuture<RunnerProcess.Answer> answer) {}

  private Begun begin(byte[] payload) {
    try {
      return inFreeOrNew(payload);
    } catch (IOException | RuntimeException failed) {
      throw new StepError("Lambda.ServiceException", "the runner cannot be started: " + failed);
    }
  }

  private synchronized Begun inFreeOrNew(byte[] payload) throws IOException {
    if (closed) {
      throw new IOException("the service ends");
    }
    RunnerProcess process = free.isEmpty() ? started() : free.pop();
    CompletableFuture<RunnerProcess.Answer> answer = process.run(payload);
    if (process.turns() < command.turns()) {
      free.push(process);
    }
    keepOneFreeSoon();
    return new Begun(process, answer);
  }

  private synchronized void giveBack(RunnerProcess process, boolean reusable) {
    free.remove(process);
    if (reusable && all.contains(process) && !spent.contains(process)) {
      pause = SHORTEST_PAUSE;
      process.rests();
      free.push(process);
    } else {
      retire(process);
    }
  }

  private void retire(RunnerProcess process) {
    if (all.contains(process) && spent.add(process)) {
      keepOneFreeSoon();
    }
    if (process.turns() == 0) {
      Thread.ofVirtual().start(process::close);
    }
  }

  private synchronized void keepOneFreeSoon() {
    if (!closed) {
      timer.execute(this::keepOneFree);
    }
  }

  private synchronized void keepOneFree() {
    try {
      if (free.isEmpty() && isRoomForMore() && !closed) {
        free.push(started());
      }
    } catch (IOException | RuntimeException failed) {
      log.error("The runner cannot be started and is tried again: {}", failed.getMessage());
      startLater();
    }
  }

  private boolean isRoomForMore() {
    return (all.size() - spent.size()) * command.turns() < PLACES;
  }

  private synchronized RunnerProcess started() throws IOException {
    RunnerProcess fresh = RunnerProcess.start(command, this::ended);
    all.add(fresh);
    return fresh;
  }

  /// Called when a process has ended, for whatever reason.
  private synchronized void ended(RunnerProcess process, RunnerProcess.End end) {
    all.remove(process);
    free.remove(process);
    spent.remove(process);
    if (!closed) {
      end.reason()
          .ifPresent(reason ->
              log.atWarn()
                  .addKeyValue("status", end.status())
                  .log("A process of the runner has ended, another takes its place: {}", reason));
      startLater();
    }
  }

  /// Starts a process after a pause, which doubles while processes do not survive.
  private synchronized void startLater() {
    if (!closed) {
      Future<?> _ = timer.schedule(this::keepOneFree, pause.toMillis(), TimeUnit.MILLISECONDS);
      Duration next = pause.multipliedBy(2);
      pause = next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
    }
  }

  private synchronized void endIdle() {
    while (free.size() > 1 && free.getLast().hasRested(REST)) {
      RunnerProcess idle = free.removeLast();
      Thread.ofVirtual().start(idle::close);
    }
  }
}
