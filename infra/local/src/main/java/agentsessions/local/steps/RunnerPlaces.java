package agentsessions.local.steps;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The places of runners, as many as turns may run at once, which are given to workspaces in turn.
///
/// A dispatch takes a place before its run step, which then hands it on to the runner that it
/// launches. So turns that wait do not work on the database, and their launch is not handed over
/// yet: a wait does not count as a start in vain.
///
/// Why: decision 030.
public final class RunnerPlaces {
  /// The limit of one dispatch's wait. The sweep dispatches a queued turn again each minute, until
  /// it was queued for too long, and the later dispatch has the place in the queue; so only one
  /// whose turn has ended waits for as long.
  public static final Duration TIMEOUT = Duration.ofMinutes(10);

  /// The error of a dispatch that waits no longer: it has changed nothing, and is not tried again.
  private static final String LEFT = "Queue.Left";

  private final FairQueue<Waiting> queue = new FairQueue<>();

  /// The executions whose run step holds a place; guarded by this, as is all else.
  private final Set<String> stepping = new HashSet<>();

  private final Duration timeout;
  private int free;

  /// @param timeout of one dispatch's wait
  public RunnerPlaces(int most, Duration timeout) {
    this.free = most;
    this.timeout = timeout;
  }

  private record Waiting(String execution, CompletableFuture<Void> place) {}

  /// Waits for a place.
  ///
  /// @throws StepError if a later dispatch of the turn, or a later turn of the session, waits
  ///   instead, or nobody was heard of in time
  void take(String workspace, String session, String execution) throws InterruptedException {
    Waiting fresh = new Waiting(execution, new CompletableFuture<>());
    add(workspace, session, fresh)
        .ifPresent(before -> before.place().completeExceptionally(left("a later one waits")));
    try {
      fresh.place().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException superseded) {
      throw left("a later one waits instead");
    } catch (TimeoutException silent) {
      giveUp(workspace, session, fresh);
    }
  }

  /// Gives back the place of a run step that has ended, unless a runner has it.
  synchronized void leave(String execution) {
    if (stepping.remove(execution)) {
      end();
    }
  }

  /// Hands the place of a run step on to the runner that it launches.
  public synchronized void launch(String execution) {
    if (!stepping.remove(execution)) {
      free--; // a launch by a step that has ended: it is not refused, and the next waits longer
    }
  }

  /// Gives back the place of a runner that has ended.
  public synchronized void end() {
    free++;
    fill();
  }

  private synchronized Optional<Waiting> add(String workspace, String session, Waiting fresh) {
    Optional<Waiting> displaced = queue.add(workspace, session, fresh);
    fill();
    return displaced;
  }

  /// Returns if the place was given meanwhile.
  private synchronized void giveUp(String workspace, String session, Waiting waiting) {
    queue.remove(workspace, session, waiting);
    if (!waiting.place().isDone() || waiting.place().isCompletedExceptionally()) {
      throw left("it has waited for " + timeout);
    }
  }

  private void fill() {
    while (free > 0) {
      Optional<Waiting> next = queue.next();
      if (next.isEmpty()) {
        return;
      }
      if (stepping.add(next.get().execution())) {
        free--;
      }
      next.get().place().complete(null);
    }
  }

  private static StepError left(String why) {
    return new StepError(LEFT, why);
  }
}
