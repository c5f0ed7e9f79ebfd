package agentsessions.local.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The expiry of clients' uploads after two days, and of what an upload in parts that was never
/// completed has left after one, as by the lifecycle rules of the bucket in template.yaml.
final class UploadExpiry implements AutoCloseable {
  private static final Duration KEPT = Duration.ofDays(2);
  private static final Duration PARTS_KEPT = Duration.ofDays(1);

  /// How the names of parts begin, in the bucket's own folder, as the library chooses them.
  private static final String PART = ".mpus-";

  private static final Logger log = LoggerFactory.getLogger(UploadExpiry.class);

  private final Path bucket;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("lifecycle").factory());

  /// @param bucket the folder of the bucket, which need not exist
  UploadExpiry(Path bucket) {
    this.bucket = bucket;
  }

  /// Removes old uploads at once, then every hour.
  void start() {
    Future<?> _ = timer.scheduleWithFixedDelay(() -> remove(Instant.now()), 0, 1, TimeUnit.HOURS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /// Removes uploads that are older than two days at `now`, and parts that are older than one.
  void remove(Instant now) {
    try {
      remove(ObjectStore.uploads(bucket), now.minus(KEPT));
      for (Path part : parts()) {
        remove(part, now.minus(PARTS_KEPT));
        removeEmptied(part, now.minus(PARTS_KEPT));
      }
    } catch (IOException | UncheckedIOException e) {
      log.warn("Old uploads could not be removed, which is tried again", e);
    }
  }

  private List<Path> parts() throws IOException {
    if (!Files.isDirectory(bucket)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(bucket)) {
      return all.filter(path -> path.getFileName().toString().startsWith(PART)).toList();
    }
  }

  private static void remove(Path at, Instant before) throws IOException {
    if (!Files.exists(at)) {
      return;
    }
    try (Stream<Path> all = Files.walk(at)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (isOlder(file, before)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /// A folder is as old as its last change: what was emptied now goes a day later.
  private static void removeEmptied(Path at, Instant before) throws IOException {
    List<Path> old = new ArrayList<>();
    try (Stream<Path> all = Files.walk(at)) {
      for (Path folder : all.filter(Files::isDirectory).toList()) {
        if (isOlder(folder, before)) {
          old.addFirst(folder);
        }
      }
    }
    for (Path folder : old) {
      if (isEmpty(folder)) {
        Files.delete(folder);
      }
    }
  }

  private static boolean isOlder(Path path, Instant before) throws IOException {
    return Files.getLastModifiedTime(path).toInstant().isBefore(before);
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.findAny().isEmpty();
    }
  }
}
