package agentsessions.runner.network.model;

import java.util.ArrayDeque;
import java.util.Queue;

/// Lets so many in at once; the others wait, and come in the order in which they came.
final class Turnstile {
  private final int most;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int inside;

  Turnstile(int most) {
    this.most = most;
  }

  /// Goes in, now or once another has left.
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
