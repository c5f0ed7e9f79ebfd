package agentsessions.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jline.utils.AttributedString;

/// What a user would have read so far.
final class Lines {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  Transcript transcript() {
    return new Transcript(this::add);
  }

  List<String> read() {
    return List.copyOf(lines);
  }

  /// Waits for a line, for 20 seconds at most.
  void await(String line) {
    Instant deadline = Instant.now().plusSeconds(20);
    while (!lines.contains(line)) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("no line \"" + line + "\" in " + lines);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private void add(AttributedString line) {
    lines.add(line.toString());
  }
}
