package agentsessions.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A pool of workers that do one kind of work on many items, at most `size` at once, each on a
/// virtual thread. A pool of one works on the caller's own thread.
public record WorkerPool(int size) {

  /// Returns when all items are done, or when `end` (`System.nanoTime`) has passed and the items
  /// that were begun before are done; the others are left.
  public <T> void each(Collection<T> things, long end, Consumer<T> work) {
    Queue<T> waiting = new ConcurrentLinkedQueue<>(things);
    Runnable worker =
        () -> {
          for (@Nullable T next = next(waiting, end); next != null; next = next(waiting, end)) {
            work.accept(next);
          }
        };
    if (size == 1) {
      worker.run();
    } else {
      join(started(worker, Math.min(size, things.size())));
    }
  }

  private static <T> @Nullable T next(Queue<T> waiting, long end) {
    return end - System.nanoTime() > 0 ? waiting.poll() : null;
  }

  private static List<Thread> started(Runnable worker, int count) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofVirtual().name("worker").start(worker));
    }
    return threads;
  }

  private static void join(List<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
