package agentsessions.local.machine;

import agentsessions.rule.Inodes;
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

/// The watch over the data folder's disk. While its free space or inodes are low, new turns are
/// refused. If it fills up nevertheless, a reserve is released, so that the database can write and
/// sessions can be deleted.
public final class Disk implements AutoCloseable {
  private static final long MOST_KEPT_FREE = 512L << 20;
  private static final int POLL_MILLIS = 250;

  /// Reading inodes takes a process, so it is done at every fourth check, at every fortieth while
  /// there are plenty, and at each one while they are nearly gone.
  private static final int CHECKS_BEFORE_INODES = 4;

  private static final int CHECKS_WHILE_PLENTY = 40;

  /// More than four cores can take in ten seconds.
  private static final int PLENTY = 1_000_000;

  private static final Logger log = LoggerFactory.getLogger(Disk.class);

  private final Path root;
  private final FileStore store;
  private final Supplier<Inodes> inodes;
  private final long keptFree;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("disk").factory());
  private final DiskReserve space;
  private final DiskReserve files;
  private boolean nearlyFull;
  private int checks;
  private volatile Inodes seen = Inodes.UNBOUNDED;

  /// @param root the data folder
  /// @throws CannotStart if its disk cannot be read
  public Disk(Path root) {
    this(root, () -> Inodes.of(root));
  }

  /// @param inodes reads the inodes of this disk
  Disk(Path root, Supplier<Inodes> inodes) {
    this.root = root;
    this.inodes = inodes;
    this.space = new DiskReserve(root.resolve("reserve"), DiskReserve::takeRoom);
    this.files = new DiskReserve(root.resolve("reserve-inodes"), DiskReserve::takeInodes);
    try {
      store = Files.getFileStore(root);
      keptFree = Math.min(MOST_KEPT_FREE, store.getTotalSpace() / 10);
    } catch (IOException failed) {
      throw new CannotStart(
          "Cannot ask the disk of " + root + ": " + Failures.text(failed), failed);
    }
  }

  /// Starts to watch.
  public void start() {
    Future<?> _ = timer.scheduleWithFixedDelay(this::check, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// The free space that turns must leave to the service, in bytes.
  public long keptFree() {
    return keptFree;
  }

  /// The free space, in bytes; `Long.MAX_VALUE` if it cannot be read.
  public long free() {
    try {
      return store.getUsableSpace();
    } catch (IOException untold) {
      return Long.MAX_VALUE;
    }
  }

  /// Whether new turns must be refused.
  public boolean isNearlyFull() {
    return seen.areNearlyGone() || free() < keptFree;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  void check() {
    if (checks++ % checksBeforeInodes() == 0) {
      seen = inodes.get();
    }
    long free = free();
    say(seen.areNearlyGone() || free < keptFree);
    space.check(free, keptFree);
    files.check(seen.free(), seen.kept());
  }

  private int checksBeforeInodes() {
    if (seen.free() - seen.kept() > PLENTY) {
      return CHECKS_WHILE_PLENTY;
    }
    return seen.areNearlyGone() ? 1 : CHECKS_BEFORE_INODES;
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
}
