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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The runner: child processes that run one turn at a time each, as an environment of Lambda does,
/// so that whatever a turn does to its process it does to no other turn.
///
/// One process more than there are turns is kept started, so that a turn does not wait for a JVM. A
/// process is used again after a turn that left nothing behind in it, because starting one costs
/// about a second of processor time.
public final class Runner implements Lambda, AutoCloseable {
  /// How many turns may run at once.
  private static final int MOST = 32;

  /// No free place for so long means throttled, which the state machine tries again.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /// How long a process that is not needed is kept.
  private static final Duration REST = Duration.ofSeconds(60);

  /// How often a turn is given to another process when one has ended before it began.
  private static final int TRIES = 3;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Logger log = LoggerFactory.getLogger(Runner.class);

  private final RunnerCommand command;
  private final Semaphore places = new Semaphore(MOST, true);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("runner").factory());

  /// Those without a turn, the one used last in front; guarded by this.
  private final Deque<RunnerProcess> free = new ArrayDeque<>();

  /// All that have not ended; guarded by this.
  private final Set<RunnerProcess> all = new HashSet<>();

  private Duration pause = SHORTEST_PAUSE;
  private boolean closed;

  public Runner(RunnerCommand command) {
    this.command = command;
  }

  /// Starts the first process.
  public void start() {
    keepOneFree();
    Future<?> _ =
        timer.scheduleWithFixedDelay(
            this::endIdle, REST.toSeconds(), REST.toSeconds() / 4, TimeUnit.SECONDS);
  }

  /// The process ids of all its processes; for tests, which kill them.
  public synchronized List<Long> pids() {
    return all.stream().map(RunnerProcess::pid).toList();
  }

  /// Whoever waits may stop waiting; the turn goes on, and keeps its place until it has ended.
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

  private CompletableFuture<RunnerProcess.Answer> begun(byte[] payload)
      throws InterruptedException {
    if (!places.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new StepError("Lambda.TooManyRequestsException", "as many turns run as may");
    }
    RunnerProcess process = take();
    return process
        .run(payload)
        .whenComplete((answer, _) -> giveBack(process, answer != null && answer.reusable()));
  }

  private RunnerProcess take() {
    try {
      RunnerProcess taken = freeOrNew();
      timer.execute(this::keepOneFree);
      return taken;
    } catch (IOException | RuntimeException failed) {
      // Else a full disk would take the places one by one, and no turn could begin after it.
      places.release();
      throw new StepError("Lambda.ServiceException", "the runner cannot be started: " + failed);
    }
  }

  private synchronized RunnerProcess freeOrNew() throws IOException {
    return free.isEmpty() ? started() : free.pop();
  }

  private synchronized void giveBack(RunnerProcess process, boolean reusable) {
    places.release();
    if (reusable && all.contains(process)) {
      pause = SHORTEST_PAUSE;
      process.rests();
      free.push(process);
    } else {
      Thread.ofVirtual().start(process::close);
    }
  }

  private synchronized void keepOneFree() {
    try {
      if (free.isEmpty() && all.size() <= MOST && !closed) {
        free.push(started());
      }
    } catch (IOException | RuntimeException failed) {
      log.error("The runner cannot be started and is tried again: {}", failed.getMessage());
      startLater();
    }
  }

  private synchronized RunnerProcess started() throws IOException {
    RunnerProcess fresh = RunnerProcess.start(command, this::ended);
    all.add(fresh);
    return fresh;
  }

  /// Called when a process has ended, by itself or not.
  private synchronized void ended(RunnerProcess process, RunnerProcess.End end) {
    all.remove(process);
    free.remove(process);
    if (!closed) {
      end.reason()
          .ifPresent(reason ->
              log.atWarn()
                  .addKeyValue("status", end.status())
                  .log("A process of the runner has ended, another takes its place: {}", reason));
      startLater();
    }
  }

  /// At once the first time; where no process lives, less and less often.
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
