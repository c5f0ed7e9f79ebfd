package agentsessions.runner.usage;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Takes out of a streamed answer the event that tells the usage, which its agent did not ask for.
/// Of each event only the beginning is held back, until it is seen to be another, and at most 64
/// KiB.
final class UsageEvent {
  private static final int MOST = 64 * 1024;

  private final Answer answer;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private boolean isOther;

  UsageEvent(Answer answer) {
    this.answer = answer;
  }

  /// What the agent may see by now.
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

  /// What is left when nothing more comes.
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
