package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Words in front of a command that let it start with every signal at its default.
///
/// A service that was started in the background ignores INT, and so do all its descendants: a shell
/// cannot even set a trap then, and an agent would not receive its interrupt.
public final class DefaultSignals {
  private static final Logger LOG = LoggerFactory.getLogger(DefaultSignals.class);
  private static final List<String> ENV = List.of("/usr/bin/env", "--default-signal", "--");

  /// Signals 32 and 33, which the C library keeps to itself: no program can set them.
  private static final long INTERNAL = 3L << 31;

  /// Empty where every signal is at its default anyway, so that no program runs in vain. Also where
  /// coreutils is older than 8.31 or another implementation: there agents inherit the runner's
  /// signal settings.
  public static final List<String> COMMAND = areDefault() || !works() ? List.of() : ENV;

  private DefaultSignals() {}

  /// Asks a child, since not every signal that a JVM ignores is ignored by its children.
  private static boolean areDefault() {
    try {
      Process child = Spawner.start(new ProcessBuilder("/bin/cat", "/proc/self/status"));
      return child.waitFor(5, TimeUnit.SECONDS) && areDefault(child.inputReader().lines());
    } catch (IOException unknown) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Whether a process ignores no signal, by the lines of its `status`, see proc(5).
  static boolean areDefault(Stream<String> status) {
    return status
        .filter(line -> line.startsWith("SigIgn:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
        .anyMatch(ignored -> (ignored & ~INTERNAL) == 0);
  }

  private static boolean works() {
    String reason = "";
    try {
      Process trial = Spawner.start(new ProcessBuilder(ENV.getFirst(), ENV.get(1), "--", "true"));
      if (trial.waitFor(5, TimeUnit.SECONDS) && trial.exitValue() == 0) {
        return true;
      }
    } catch (IOException missing) {
      reason = String.valueOf(missing.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    LOG.warn(
        "agents ignore the signals that the runner ignores: no env --default-signal {}", reason);
    return false;
  }
}
