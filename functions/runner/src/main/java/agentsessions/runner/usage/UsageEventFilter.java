package agentsessions.runner.usage;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// A filter that hides the usage event of a streamed response from an agent that did not ask for
/// it. The beginning of each event is held back, 64 KiB at most, until it proves to be another
/// event.
final class UsageEventFilter {
  private static final int MOST = 64 * 1024;

  private final ModelUsageReader answer;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private boolean isOther;

  UsageEventFilter(ModelUsageReader answer) {
    this.answer = answer;
  }

  /// The bytes that the agent may see by now.
  ByteBuffer without(ByteBuffer bytes) {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    while (bytes.hasRemaining()) {
      byte next = bytes.get();
      held.write(next);
      if (answer.accept(next)) {
        end(seen);
      }
    }
    isOther |= held.size() > MOST || answer.isOther();
    if (isOther) {
      release(seen);
    }
    return ByteBuffer.wrap(seen.toByteArray());
  }

  /// The bytes held back, when the response has ended.
  ByteBuffer rest() {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    release(seen);
    return ByteBuffer.wrap(seen.toByteArray());
  }

  private void end(ByteArrayOutputStream seen) {
    if (isOther || !answer.wasUsageOnly()) {
      release(seen);
    }
    held.reset();
    isOther = false;
  }

  private void release(ByteArrayOutputStream seen) {
    seen.writeBytes(held.toByteArray());
    held.reset();
  }
}
