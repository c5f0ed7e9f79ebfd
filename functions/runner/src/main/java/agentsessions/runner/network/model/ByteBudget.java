package agentsessions.runner.network.model;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// A number of bytes that all turns of this process may hold in memory together. Who finds too few
/// left waits, first come, first served.
final class ByteBudget {
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long left;

  private record Waiting(long bytes, Runnable action) {}

  ByteBudget(long bytes) {
    this.left = bytes;
  }

  /// Runs the action once these bytes are its own; they are to be given back.
  ///
  /// @param bytes at most the whole budget
  void take(long bytes, Runnable action) {
    synchronized (this) {
      waiting.add(new Waiting(bytes, action));
    }
    serve();
  }

  void giveBack(long bytes) {
    synchronized (this) {
      left += bytes;
    }
    serve();
  }

  private void serve() {
    for (Runnable action = next(); action != null; action = next()) {
      action.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Waiting first = waiting.peek();
    if (first == null || first.bytes() > left) {
      return null;
    }
    left -= first.bytes();
    waiting.remove();
    return first.action();
  }
}
