package agentsessions.api.events;

import agentsessions.table.Unavailable;
import java.util.LinkedHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Reads of one kind that are made once for all who ask for the same at the same time. The last few
/// results are kept for those who ask a little later.
final class SharedReads<V> {
  private static final int MOST = 128;

  private final LinkedHashMap<Object, FutureTask<V>> reads = new LinkedHashMap<>();

  /// @param what names a result that never changes
  /// @param lasts whether a result may be kept: it is small, and all there is to read
  V once(Object what, Supplier<V> read, Predicate<V> lasts) {
    FutureTask<V> task = begun(what, read);
    task.run(); // nothing is done by any but the first
    try {
      V value = task.get();
      if (!lasts.test(value)) {
        forget(what, task);
      }
      return value;
    } catch (ExecutionException failed) {
      forget(what, task);
      return read.get(); // the failure may be the other's alone, as the end of its time is
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("a shared read", stopped);
    }
  }

  private synchronized FutureTask<V> begun(Object what, Supplier<V> read) {
    FutureTask<V> task = reads.computeIfAbsent(what, _ -> new FutureTask<>(read::get));
    if (reads.size() > MOST) {
      reads.pollFirstEntry();
    }
    return task;
  }

  private synchronized void forget(Object what, FutureTask<V> task) {
    reads.remove(what, task);
  }
}
