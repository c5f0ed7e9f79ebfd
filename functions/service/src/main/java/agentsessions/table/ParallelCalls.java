package agentsessions.table;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Parallel calls, each on a virtual thread within the caller's retry deadline; a single one is
/// made on the caller's own thread.
public final class ParallelCalls {
  private ParallelCalls() {}

  /// Runs the call for each element and returns when all are done. Throws the error of the first
  /// call in the list that failed.
  public static <T> void each(List<T> things, Consumer<T> call) {
    if (things.size() < 2) {
      things.forEach(call);
      return;
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> calls =
          things.stream().<Future<?>>map(thing -> begun(threads, thing, call)).toList();
      calls.forEach(ParallelCalls::end);
    }
  }

  private static <T> Future<?> begun(ExecutorService threads, T thing, Consumer<T> call) {
    Duration remaining = RetryDeadline.remaining();
    return threads.submit(() -> RetryDeadline.run(remaining, () -> call.accept(thing)));
  }

  private static void end(Future<?> call) {
    try {
      call.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException fault) {
        throw fault;
      }
      throw new IllegalStateException(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("calls side by side", stopped);
    }
  }
}
