package agentsessions.chat;

import agentsessions.chat.transcript.TranscriptPrinter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jline.utils.AttributedString;

/// The lines printed so far, for tests.
public final class Lines {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  public TranscriptPrinter transcript() {
    return new TranscriptPrinter(this::add);
  }

  public List<String> read() {
    return List.copyOf(lines);
  }

  /// Waits for a line, for a minute at most.
  public void await(String line) {
    Awaitility.await(line)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(this::read, read -> read.contains(line));
  }

  private void add(AttributedString line) {
    lines.add(line.toString());
  }
}
