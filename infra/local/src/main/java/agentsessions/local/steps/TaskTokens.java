package agentsessions.local.steps;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The waiting tasks by their token's text, which is the only way to complete a task or keep it
/// alive.
final class TaskTokens {
  private final Map<String, TaskToken> waiting = new ConcurrentHashMap<>();

  /// The registration of a task, until it is closed.
  record Hold(TaskTokens tokens, String text) implements AutoCloseable {
    @Override
    public void close() {
      tokens.waiting.remove(text);
    }
  }

  Hold hold(TaskToken task) {
    String text = UUID.randomUUID().toString();
    waiting.put(text, task);
    return new Hold(this, text);
  }

  /// The task of a token; empty if none waits for it.
  Optional<TaskToken> find(String text) {
    return Optional.ofNullable(waiting.get(text));
  }
}
