package agentsessions.local;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.MoreExecutors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schedule of the sweep: at once, then two seconds after the end of the last one. Before the
/// first, what the service's last process had not begun is started: its runners ended with it. A
/// sweep that reports deleted sessions is followed by a [SandboxCleanup] of their folders.
final class Sweeper implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

  private final RequestStreamHandler sweep;
  private final SandboxCleanup cleanup;
  private final Instant started = Instant.now();
  private boolean recovered;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("sweep").factory());

  Sweeper(RequestStreamHandler sweep, SandboxCleanup cleanup) {
    this.sweep = sweep;
    this.cleanup = cleanup;
  }

  void start() {
    Future<?> _ =
        timer.scheduleWithFixedDelay(this::once, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Lets a running sweep finish, for two seconds at most.
  @Override
  public void close() {
    boolean _ = MoreExecutors.shutdownAndAwaitTermination(timer, LONGEST_GOODBYE);
  }

  private void once() {
    try {
      if (!recovered) {
        run("{\"task\": \"recover\", \"end\": \"%s\"}".formatted(started));
        recovered = true;
      }
      if (!run("{}").path("purged").isEmpty()) {
        cleanup.remove();
      }
    } catch (IOException | RuntimeException e) {
      log.warn("The sweep failed and is tried again", e);
    }
  }

  private JsonNode run(String event) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    sweep.handleRequest(
        new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)), answer, null);
    return JSON.readTree(answer.toByteArray());
  }
}
