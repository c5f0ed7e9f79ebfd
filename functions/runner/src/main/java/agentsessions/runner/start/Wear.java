package agentsessions.runner.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// What turns leave behind in this process: open files, threads, and errors that nobody caught. A
/// process that has too much of it gives way to a new one.
final class Wear {
  /// Well above what a quiet process has, which is about 40 open files and 30 threads.
  private static final long MOST = 150;

  private static final int TURNS = 200;
  private static final AtomicBoolean BROKEN = new AtomicBoolean();
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private Wear() {}

  /// Notes from now on every thread that dies of an error.
  static void watch() {
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
      BROKEN.set(true);
      System.err.println(thread.getName() + " died: " + error);
    });
  }

  /// Whether the process should take no further turn; asked once after each.
  static boolean isSpent() {
    return TAKEN.incrementAndGet() >= TURNS
        || BROKEN.get()
        || entries("/proc/self/fd") > MOST
        || entries("/proc/self/task") > MOST;
  }

  private static long entries(String folder) {
    try (Stream<Path> all = Files.list(Path.of(folder))) {
      return all.count();
    } catch (IOException noProc) {
      return 0;
    }
  }
}
