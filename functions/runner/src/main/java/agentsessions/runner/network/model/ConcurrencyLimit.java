package agentsessions.runner.network.model;

import java.util.ArrayDeque;
import java.util.Queue;

/// A limit of concurrent calls: the others wait in a first-in, first-out queue.
final class ConcurrencyLimit {
  private final int most;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int inside;

  ConcurrencyLimit(int most) {
    this.most = most;
  }

  /// Runs the call, now or when another has left.
  void enter(Runnable in) {
    synchronized (this) {
      if (inside == most) {
        waiting.add(in);
        return;
      }
      inside++;
    }
    in.run();
  }

  void leave() {
    Runnable next;
    synchronized (this) {
      next = waiting.poll();
      inside -= next == null ? 1 : 0;
    }
    if (next != null) {
      next.run();
    }
  }
}
