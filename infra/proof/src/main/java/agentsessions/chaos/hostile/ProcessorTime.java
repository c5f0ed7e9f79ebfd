package agentsessions.chaos.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The processor time of processes and of their children that have ended, as the kernel counts it
/// in `/proc/PID/stat`: to a hundredth of a second.
public final class ProcessorTime {
  /// The index of `utime` in the fields behind the command's name; `stime`, `cutime` and `cstime`
  /// follow.
  private static final int FIRST = 11;

  private static final int FIELDS = 4;
  private static final Duration TICK = Duration.ofMillis(10);

  private ProcessorTime() {}

  public static Duration of(List<ProcessHandle> processes) {
    return TICK.multipliedBy(processes.stream().mapToLong(ProcessorTime::ticks).sum());
  }

  private static long ticks(ProcessHandle process) {
    try {
      String line = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return List.of(line.substring(line.lastIndexOf(')') + 2).split(" "))
          .subList(FIRST, FIRST + FIELDS)
          .stream()
          .mapToLong(Long::parseLong)
          .sum();
    } catch (IOException ended) {
      return 0; // it has ended, and its parent counts its time
    }
  }
}
