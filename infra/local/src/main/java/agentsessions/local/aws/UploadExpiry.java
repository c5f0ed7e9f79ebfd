package agentsessions.local.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The expiry of clients' uploads: files older than two days are deleted, as by the bucket's
/// lifecycle rule in template.yaml.
final class UploadExpiry implements AutoCloseable {
  private static final Duration KEPT = Duration.ofDays(2);
  private static final Logger log = LoggerFactory.getLogger(UploadExpiry.class);

  private final Path uploads;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("lifecycle").factory());

  /// @param uploads the folder of uploads, which need not exist
  UploadExpiry(Path uploads) {
    this.uploads = uploads;
  }

  /// Removes old uploads at once, then every hour.
  void start() {
    Future<?> _ = timer.scheduleWithFixedDelay(() -> remove(Instant.now()), 0, 1, TimeUnit.HOURS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /// Removes uploads that are older than two days at `now`.
  void remove(Instant now) {
    try {
      for (Path file : files()) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(KEPT))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      log.warn("Old uploads could not be removed, which is tried again", e);
    }
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(uploads)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(uploads)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
