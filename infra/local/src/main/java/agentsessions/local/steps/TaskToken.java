package agentsessions.local.steps;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A try of a task that waits for its token (`waitForTaskToken`). The token's holder completes or
/// fails it, and must send heartbeats until then. Only the first outcome counts.
final class TaskToken {
  /// The time-out of a task without one of its own: longer than any execution.
  private static final Duration ANY = Duration.ofDays(365);

  private final CompletableFuture<byte[]> end = new CompletableFuture<>();
  private final long out;
  private final @Nullable Duration heartbeat;
  private volatile long silent;

  /// @param timeout null: no limit
  /// @param heartbeat null: no heartbeats are needed
  TaskToken(@Nullable Duration timeout, @Nullable Duration heartbeat) {
    this.out = System.nanoTime() + (timeout == null ? ANY : timeout).toNanos();
    this.heartbeat = heartbeat;
    heartbeat();
  }

  /// Takes a heartbeat.
  void heartbeat() {
    silent = System.nanoTime() + (heartbeat == null ? ANY : heartbeat).toNanos();
  }

  /// @param output JSON
  void succeed(byte[] output) {
    end.complete(output);
  }

  void fail(StepError error) {
    end.completeExceptionally(error);
  }

  /// Waits for the outcome.
  ///
  /// @return the output
  /// @throws StepError as it failed; `States.Timeout` also for a missing heartbeat
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
