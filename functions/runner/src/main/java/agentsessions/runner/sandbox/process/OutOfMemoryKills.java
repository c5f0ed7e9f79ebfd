package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The number of processes that the kernel has killed for lack of memory, on this machine or in one
/// control group.
public final class OutOfMemoryKills {
  private static final String COUNT = "oom_kill ";

  private OutOfMemoryKills() {}

  /// The number since the machine was started; 0 if the kernel does not report it.
  public static long count() {
    return count(Path.of("/proc/vmstat"));
  }

  /// The number that one of the kernel's files states; 0 if it states none.
  static long count(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(COUNT))
          .mapToLong(line -> Long.parseLong(line.substring(COUNT.length()).strip()))
          .sum();
    } catch (IOException | NumberFormatException untold) {
      return 0;
    }
  }
}
