package agentsessions.testing;

import java.util.concurrent.ThreadLocalRandom;

/// A random number on the command lines of a test's processes, by which concurrent tests recognize
/// their own.
///
/// @param number twelve random digits
public record ProcessMark(long number) {
  private static final long LEAST = 100_000_000_000L;

  /// A number that no other test has.
  public static ProcessMark fresh() {
    return new ProcessMark(ThreadLocalRandom.current().nextLong(LEAST, 10 * LEAST));
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
