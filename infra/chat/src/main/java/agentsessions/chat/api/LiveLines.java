package agentsessions.chat.api;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The lines of a streaming response as they arrive. The service sends something every ten seconds;
/// after thirty without a line the connection counts as dead.
public final class LiveLines implements AutoCloseable {
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final Stream<String> lines;

  /// Lists of one line; an empty list marks the end.
  private final BlockingQueue<List<String>> arrived = new LinkedBlockingQueue<>();

  LiveLines(Stream<String> lines) {
    this.lines = lines;
    Thread _ = Thread.ofVirtual().name("events").start(this::read);
  }

  /// The next line; empty at the end, or when the connection is dead.
  public Optional<String> next() throws InterruptedException {
    @Nullable List<String> line = arrived.poll(SILENCE.toSeconds(), TimeUnit.SECONDS);
    return line == null ? Optional.empty() : line.stream().findFirst();
  }

  @Override
  public void close() {
    lines.close();
  }

  private void read() {
    try {
      lines.forEach(line -> arrived.add(List.of(line)));
    } catch (UncheckedIOException lost) {
      // The lines before the loss are still delivered.
    } finally {
      arrived.add(List.of());
    }
  }
}
