package agentsessions.local.machine;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The disk of the data folder. While its room or its inodes are nearly gone no new turn is taken
/// on; should it be full all the same, a file kept for that is given up, so that the database can
/// write and sessions can be deleted.
public final class Disk implements AutoCloseable {
  private static final long MOST_KEPT_FREE = 512L << 20;
  private static final int LOOK_MILLIS = 250;

  /// Whoever fills the disk is stopped by then.
  private static final int LOOKS_BEFORE_GIVING_UP = 4;

  /// Inodes are asked of a process, so not at every look.
  private static final int LOOKS_BEFORE_INODES = 4;

  private static final Logger log = LoggerFactory.getLogger(Disk.class);

  private final Path root;
  private final FileStore store;
  private final Supplier<Inodes> inodes;
  private final long keptFree;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("disk").factory());
  private boolean nearlyFull;
  private int looksWithoutRoom;
  private int looks;
  private volatile boolean inodesNearlyGone;

  /// @param root the data folder
  /// @throws CannotStart if its disk cannot be asked
  public Disk(Path root) {
    this(root, () -> Inodes.of(root));
  }

  /// @param inodes of this disk
  Disk(Path root, Supplier<Inodes> inodes) {
    this.root = root;
    this.inodes = inodes;
    try {
      store = Files.getFileStore(root);
      keptFree = Math.min(MOST_KEPT_FREE, store.getTotalSpace() / 10);
    } catch (IOException failed) {
      throw new CannotStart(
          "Cannot ask the disk of " + root + ": " + Failures.text(failed), failed);
    }
  }

  /// Begins to watch.
  public void start() {
    Future<?> _ = timer.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Room that turns leave to the service, in bytes.
  public long keptFree() {
    return keptFree;
  }

  /// Room that there is, in bytes; as much as can be where it is not told.
  public long free() {
    try {
      return store.getUsableSpace();
    } catch (IOException untold) {
      return Long.MAX_VALUE;
    }
  }

  /// Whether new turns are to be refused.
  public boolean isNearlyFull() {
    return inodesNearlyGone || free() < keptFree;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void look() {
    if (looks++ % LOOKS_BEFORE_INODES == 0) {
      askForInodes();
    }
    long free = free();
    say(inodesNearlyGone || free < keptFree);
    looksWithoutRoom = free < keptFree / 8 ? looksWithoutRoom + 1 : 0;
    try {
      if (looksWithoutRoom >= LOOKS_BEFORE_GIVING_UP && Files.deleteIfExists(reserve())) {
        log.warn("The disk is full: what was kept for this is given up, {} MiB", keptFree >> 22);
      } else if (free > 2 * keptFree && Files.notExists(reserve())) {
        keep();
      }
    } catch (IOException failed) {
      log.warn("The disk's reserve: {}", Failures.text(failed));
    }
  }

  /// The answer holds until it is asked again.
  void askForInodes() {
    inodesNearlyGone = inodes.get().areNearlyGone();
  }

  private void say(boolean isNearlyFull) {
    if (nearlyFull != isNearlyFull) {
      nearlyFull = isNearlyFull;
      log.warn(
          nearlyFull
              ? "The disk of {} is nearly full: no new turn is taken on until sessions are deleted"
              : "The disk of {} has room again",
          root);
    }
  }

  /// Where room cannot be taken without writing it there is no reserve.
  private void keep() throws IOException {
    try {
      int _ =
          new ProcessBuilder("fallocate", "-l", Long.toString(keptFree / 4), reserve().toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    if (Files.notExists(reserve())) {
      Files.createFile(reserve());
    }
  }

  private Path reserve() {
    return root.resolve("reserve");
  }
}
