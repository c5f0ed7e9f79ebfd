package agentsessions.runner.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// The resources that turns leak in this process: open files, threads, and uncaught errors. A
/// process with too many is replaced by a new one.
final class ProcessHealth {
  /// Well above a fresh process, which has about 40 open files and 30 threads.
  private static final long MOST = 150;

  /// What each further turn at once adds: its threads and connections, some of which stay for a
  /// minute after it.
  private static final long OF_A_TURN = 40;

  private static final int TURNS = 2000;
  private static final AtomicBoolean BROKEN = new AtomicBoolean();
  private static final AtomicInteger TAKEN = new AtomicInteger();
  private static final AtomicInteger MOST_AT_ONCE = new AtomicInteger();

  private ProcessHealth() {}

  /// Records from now on every thread that dies of an error.
  static void watch() {
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
      BROKEN.set(true);
      System.err.println(thread.getName() + " died: " + error);
    });
  }

  /// Counts a turn that has ended.
  ///
  /// @param running the other turns, which still run
  /// @return whether the process is spent: it should take no further turn
  static boolean countTurn(int running) {
    long most = MOST + OF_A_TURN * MOST_AT_ONCE.accumulateAndGet(running, Math::max);
    return TAKEN.incrementAndGet() >= TURNS
        || BROKEN.get()
        || entries("/proc/self/fd") > most
        || entries("/proc/self/task") > most;
  }

  private static long entries(String folder) {
    try (Stream<Path> all = Files.list(Path.of(folder))) {
      return all.count();
    } catch (IOException noProc) {
      return 0;
    }
  }
}
