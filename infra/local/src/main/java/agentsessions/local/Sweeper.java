package agentsessions.local;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schedule of the sweep: at once, then again and again, one at a time.
final class Sweeper implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final byte[] EVENT = "{}".getBytes(StandardCharsets.UTF_8);
  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

  private final RequestStreamHandler sweep;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("sweep").factory());

  Sweeper(RequestStreamHandler sweep) {
    this.sweep = sweep;
  }

  void start() {
    Future<?> _ =
        timer.scheduleWithFixedDelay(this::once, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void once() {
    try {
      sweep.handleRequest(new ByteArrayInputStream(EVENT), OutputStream.nullOutputStream(), null);
    } catch (IOException | RuntimeException e) {
      log.warn("The sweep failed and is tried again", e);
    }
  }
}
