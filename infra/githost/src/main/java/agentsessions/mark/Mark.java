package agentsessions.mark;

import java.util.concurrent.ThreadLocalRandom;

/// A number that stands on the command lines of one test's processes and on nobody else's, so that
/// tests which run side by side never take another's process for their own.
///
/// @param number twelve digits, by chance: nothing in a test depends on which
public record Mark(long number) {
  private static final long LEAST = 100_000_000_000L;

  /// A number that no other test has.
  public static Mark fresh() {
    return new Mark(ThreadLocalRandom.current().nextLong(LEAST, 10 * LEAST));
  }

  /// A command that lasts longer than any test.
  public String sleep() {
    return "sleep " + number;
  }

  /// Whether a living process has the number on its command line.
  public boolean isRunning() {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .anyMatch(line -> line.contains(toString()));
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
