package agentsessions.runner.usage;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/// The pause in which a turn's model is not asked, since a person decides on calls of its agent:
/// else an agent that goes on meanwhile costs as long as people think.
public final class ModelPause {
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int calls;

  /// One more call waits for a person.
  public synchronized void begin() {
    calls++;
  }

  /// One call waits no more. With the last of them all that has waited runs, each by itself.
  public void end() {
    List<Runnable> now;
    synchronized (this) {
      calls--;
      if (calls > 0) {
        return;
      }
      now = List.copyOf(waiting);
      waiting.clear();
    }
    now.forEach(Thread::startVirtualThread);
  }

  /// Runs an action: now, or when nobody has to decide any more.
  public void after(Runnable action) {
    synchronized (this) {
      if (calls > 0) {
        waiting.add(action);
        return;
      }
    }
    action.run();
  }
}
