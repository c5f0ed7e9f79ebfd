package agentsessions.runner.sandbox;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches what a session takes of the disk while its agent works, in its folders and in files that
/// are deleted and still open, and stops the agent that takes more than its share; when the disk is
/// nearly full, the one that has written most in its turn and no other.
///
/// The turns of a machine, each watched by a process of its own, know of each other by a folder in
/// which each writes how much it has grown.
public final class DiskWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
  private static final long MIB = 1024 * 1024;

  /// Whoever has grown by less is not the reason for a full disk.
  private static final long LEAST = 16 * MIB;

  /// A session over its share may run, so that it can delete; but not grow.
  private static final long SLACK = 64 * MIB;

  private static final long LOOK_MILLIS = 100;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /// Part of the time that looking may take: one in so many.
  private static final int PART = 20;

  /// What has not been written for so long is a dead turn's.
  private static final Duration FRESH = Duration.ofSeconds(15);

  private final SessionFolder folder;
  private final Limits limits;
  private final FileStore disk;
  private final Path board;
  private final Supplier<Stream<ProcessHandle>> processes;
  private final Consumer<Ending> stop;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /// Watches an agent's process, and stops it from another thread.
  public DiskWatch(SessionFolder folder, Limits limits, AgentProcess process) throws IOException {
    this(folder, limits, process::processes, process::stop);
  }

  /// @param processes that may have files of the session open
  /// @param stop called at most once, from another thread
  DiskWatch(
      SessionFolder folder,
      Limits limits,
      Supplier<Stream<ProcessHandle>> processes,
      Consumer<Ending> stop)
      throws IOException {
    this.folder = folder;
    this.limits = limits;
    this.processes = processes;
    this.stop = stop;
    this.disk = Files.getFileStore(folder.path());
    Path all = folder.path().resolveSibling(".turns");
    this.board = all.resolve(folder.path().getFileName());
    Files.createDirectories(all);
    this.thread = Thread.ofVirtual().name("disk").start(this::watch);
  }

  /// Does not wait for a look that is on its way.
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }

  private void watch() {
    try {
      if (!isClosed()) {
        watchFrom(before());
      }
    } catch (IOException unknown) {
      LOG.warn("the session's share of the disk is not watched: {}", unknown.getMessage());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      forget();
    }
  }

  private void forget() {
    try {
      Files.deleteIfExists(board);
    } catch (IOException kept) {
      LOG.debug("left behind: {}", kept.toString());
    }
  }

  /// What the session's folders had when they were last looked at, in a turn before. A look at the
  /// start of this one would come after an agent that is quick.
  private long before() {
    return number(folder.used());
  }

  private void watchFrom(long start) throws IOException, InterruptedException {
    long began;
    do {
      began = System.nanoTime();
      long use = use();
      write(board, use - start);
      if (use > limits.folder() && use > start + SLACK) {
        stop.accept(Ending.SHARE);
        return;
      }
      if (isNearlyFull() && isLargest(use - start)) {
        stop.accept(Ending.DISK_FULL);
        return;
      }
    } while (pause((System.nanoTime() - began) * PART));
  }

  /// What has no name comes first: a file that loses its name meanwhile is counted at the next
  /// look, and never twice.
  private long use() throws IOException {
    long unlinked = UnlinkedFiles.of(processes.get(), folder.agents());
    long named = DiskUse.of(folder.agents());
    write(folder.used(), named);
    return named + unlinked;
  }

  /// As long as asked and a second at least, unless the disk becomes nearly full.
  ///
  /// @return whether to look again
  private boolean pause(long askedNanos) throws InterruptedException {
    long end = System.nanoTime() + Math.max(askedNanos, SHORTEST.toNanos());
    while (!isClosed()) {
      if (System.nanoTime() >= end || isNearlyFull()) {
        return true;
      }
    }
    return false;
  }

  /// Asked after a moment.
  private boolean isClosed() throws InterruptedException {
    return closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private boolean isNearlyFull() {
    try {
      return disk.getUsableSpace() < limits.free();
    } catch (IOException unknown) {
      return false;
    }
  }

  /// Padded, and written over what was there, which a full disk allows.
  private static void write(Path file, long bytes) {
    try {
      Files.write(
          file,
          "%019d".formatted(Math.max(0, bytes)).getBytes(StandardCharsets.US_ASCII),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE);
    } catch (IOException full) {
      LOG.debug("not written: {}", full.toString());
    }
  }

  private boolean isLargest(long growth) throws IOException {
    long largest = 0;
    try (DirectoryStream<Path> turns = Files.newDirectoryStream(board.getParent())) {
      for (Path turn : turns) {
        largest = Math.max(largest, turn.equals(board) ? 0 : growth(turn));
      }
    }
    return growth >= LEAST && growth >= largest;
  }

  private static long growth(Path turn) {
    try {
      long age = System.currentTimeMillis() - Files.getLastModifiedTime(turn).toMillis();
      return age > FRESH.toMillis() ? 0 : number(turn);
    } catch (IOException gone) {
      return 0;
    }
  }

  private static long number(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException none) {
      return 0;
    }
  }
}
