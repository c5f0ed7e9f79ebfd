package agentsessions.local.steps;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The tasks that wait for their token, by its text. Without a token that is known here nobody can
/// end a task or keep it alive.
final class TaskTokens {
  private final Map<String, TaskToken> waiting = new ConcurrentHashMap<>();

  /// Makes a task known until it is closed.
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

  /// Empty where no task waits for it, or no longer.
  Optional<TaskToken> find(String text) {
    return Optional.ofNullable(waiting.get(text));
  }
}
