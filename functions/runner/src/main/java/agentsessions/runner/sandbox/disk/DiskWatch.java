package agentsessions.runner.sandbox.disk;

import agentsessions.rule.Inodes;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.AgentProcess;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The monitor of a session's disk use while its agent works, in its folders and in deleted files
/// that are still open. It stops an agent that exceeds its share; when the disk is nearly full, the
/// one that has written most in its turn and no other; when inodes are nearly used up, the one that
/// has made most files.
public final class DiskWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final long MIB = 1024 * 1024;

  /// A turn that has grown by less is not the cause of a full disk.
  private static final SpaceUsage LEAST = new SpaceUsage(16 * MIB, 4_000);

  /// A session over its share may run, so that it can delete files, and grow by no more than this.
  private static final SpaceUsage SLACK = new SpaceUsage(64 * MIB, 10_000);

  private static final long POLL_MILLIS = 100;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /// Measuring takes at most one part in this many of the time.
  private static final int PART = 20;

  /// The checks of free space for each check of free inodes, which starts a process.
  private static final int ROUNDS = 10;

  private final SessionFolder folder;
  private final Limits limits;
  private final FileStore disk;
  private final DiskGrowth turns;
  private final Supplier<Stream<ProcessHandle>> processes;
  private final Supplier<Inodes> inodes;
  private final Consumer<Ending> stop;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private Inodes seen = Inodes.UNBOUNDED;
  private long counted;

  /// Watches an agent's process, and stops it from another thread.
  public DiskWatch(SessionFolder folder, Limits limits, AgentProcess process) throws IOException {
    this(folder, limits, process::processes, () -> Inodes.of(folder.path()), process::stop);
  }

  /// @param processes that may have files of the session open
  /// @param inodes gives the inodes of the disk
  /// @param stop called at most once, from another thread
  DiskWatch(
      SessionFolder folder,
      Limits limits,
      Supplier<Stream<ProcessHandle>> processes,
      Supplier<Inodes> inodes,
      Consumer<Ending> stop)
      throws IOException {
    this.folder = folder;
    this.limits = limits;
    this.processes = processes;
    this.inodes = inodes;
    this.stop = stop;
    this.disk = Files.getFileStore(folder.path());
    this.turns = DiskGrowth.of(folder);
    this.thread = Thread.ofPlatform().daemon().name("disk").start(this::watch);
  }

  /// Does not wait for a measurement that is under way; that one writes nothing any more, since the
  /// folder is soon another turn's.
  @Override
  public void close() {
    synchronized (closed) {
      closed.countDown();
    }
    thread.interrupt();
  }

  private void whileOpen(Runnable write) {
    synchronized (closed) {
      if (closed.getCount() > 0) {
        write.run();
      }
    }
  }

  private void watch() {
    try {
      SpaceUsage start = before();
      if (pause(0)) {
        watchFrom(start);
      }
    } catch (IOException unknown) {
      LOG.warn("the session's share of the disk is not watched: {}", unknown.getMessage());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      turns.forget();
    }
  }

  /// The disk use at the last measurement of an earlier turn. A measurement now could already
  /// include what a quick agent has written, and its processes would compete with the agent's
  /// start.
  private SpaceUsage before() {
    return SpaceUsage.read(folder.used());
  }

  private void watchFrom(SpaceUsage start) throws IOException, InterruptedException {
    counted = start.inodes();
    long began;
    do {
      began = System.nanoTime();
      SpaceUsage use = use();
      SpaceUsage growth = use.minus(start);
      whileOpen(() -> turns.write(growth));
      Optional<Ending> ending = ending(use, growth);
      if (ending.isPresent()) {
        stop.accept(ending.get());
        return;
      }
    } while (pause((System.nanoTime() - began) * PART));
  }

  private Optional<Ending> ending(SpaceUsage use, SpaceUsage growth) throws IOException {
    if (use.bytes() > limits.folder() && growth.bytes() > SLACK.bytes()) {
      return Optional.of(Ending.DISK_QUOTA);
    }
    if (use.inodes() > limits.files() && growth.inodes() > SLACK.inodes()) {
      return Optional.of(Ending.INODE_QUOTA);
    }
    boolean full =
        (isNearlyFull() && isLargest(growth, SpaceUsage::bytes))
            || (seen.areNearlyGone() && isLargest(growth, SpaceUsage::inodes));
    return full ? Optional.of(Ending.DISK_FULL) : Optional.empty();
  }

  private boolean isLargest(SpaceUsage growth, ToLongFunction<SpaceUsage> part) throws IOException {
    long own = part.applyAsLong(growth);
    return own >= part.applyAsLong(LEAST) && own >= turns.most(part);
  }

  /// Unlinked files are measured first: a file that is unlinked in between is counted at the next
  /// measurement, and never twice.
  private SpaceUsage use() throws IOException {
    SpaceUsage unlinked = UnlinkedFiles.of(processes.get(), folder.writable());
    SpaceUsage named = new SpaceUsage(DiskMeasurement.of(folder.writable()), counted());
    whileOpen(() -> named.write(folder.used()));
    return named.plus(unlinked);
  }

  /// Counted again only if the disk has fewer free inodes than before, since counting takes as long
  /// as the rest of a measurement.
  private long counted() throws IOException {
    Inodes now = inodes.get();
    if (now.free() < seen.free()) {
      counted = DiskMeasurement.inodes(folder.writable());
    }
    seen = now;
    return counted;
  }

  /// Waits at least a second, and as long as asked, unless the disk becomes nearly full.
  ///
  /// @return whether to measure again
  private boolean pause(long askedNanos) throws InterruptedException {
    long end = System.nanoTime() + Math.max(askedNanos, SHORTEST.toNanos());
    for (int round = 1; !isClosed(); round++) {
      if (System.nanoTime() >= end
          || isNearlyFull()
          || (round % ROUNDS == 0 && inodes.get().areNearlyGone())) {
        return true;
      }
    }
    return false;
  }

  /// Waits a moment first.
  private boolean isClosed() throws InterruptedException {
    return closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private boolean isNearlyFull() {
    try {
      return disk.getUsableSpace() < limits.free();
    } catch (IOException unknown) {
      return false;
    }
  }
}
