package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The number of processes on this machine that the kernel has killed for lack of memory.
public final class OutOfMemoryKills {
  private static final String COUNT = "oom_kill ";

  private OutOfMemoryKills() {}

  /// The number since the machine was started; 0 if the kernel does not report it.
  public static long count() {
    try {
      return Files.readAllLines(Path.of("/proc/vmstat")).stream()
          .filter(line -> line.startsWith(COUNT))
          .mapToLong(line -> Long.parseLong(line.substring(COUNT.length())))
          .sum();
    } catch (IOException | NumberFormatException untold) {
      return 0;
    }
  }
}
