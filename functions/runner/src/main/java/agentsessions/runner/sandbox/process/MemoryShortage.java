package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How often the kernel has ended a process of this machine for want of memory.
public final class MemoryShortage {
  private static final String COUNT = "oom_kill ";

  private MemoryShortage() {}

  /// Since the machine was started; 0 where it is not told.
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
