package agentsessions.local.steps;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// One try of a task that ends when somebody says so, not when its function answers. Whoever was
/// given its token must be heard of now and then until that. The first end counts.
final class TaskToken {
  /// Of a task without a time-out of its own: longer than any execution.
  private static final Duration ANY = Duration.ofDays(365);

  private final CompletableFuture<byte[]> end = new CompletableFuture<>();
  private final long out;
  private final @Nullable Duration heartbeat;
  private volatile long silent;

  /// @param timeout null: it may take any time
  /// @param heartbeat null: nobody need be heard of
  TaskToken(@Nullable Duration timeout, @Nullable Duration heartbeat) {
    this.out = System.nanoTime() + (timeout == null ? ANY : timeout).toNanos();
    this.heartbeat = heartbeat;
    beat();
  }

  /// Whoever has the token is alive.
  void beat() {
    silent = System.nanoTime() + (heartbeat == null ? ANY : heartbeat).toNanos();
  }

  /// @param output JSON
  void succeed(byte[] output) {
    end.complete(output);
  }

  void fail(StepError error) {
    end.completeExceptionally(error);
  }

  /// Waits for its end.
  ///
  /// @return the output
  /// @throws StepError as it failed; `States.Timeout` also for a heartbeat that did not come
  byte[] await() throws InterruptedException {
    while (true) {
      long left = Math.min(out, silent) - System.nanoTime();
      try {
        return end.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (TimeoutException maybe) {
        if (Math.min(out, silent) - System.nanoTime() <= 0) {
          fail(new StepError(StepError.TIMEOUT, "nobody was heard of in time"));
        }
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof StepError error
            ? error
            : new StepError(StepError.RUNTIME, String.valueOf(failed.getCause()));
      }
    }
  }
}
