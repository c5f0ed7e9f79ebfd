package agentsessions.runner.sandbox.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Words in front of a command that let it start with every signal at its default.
///
/// A service that was started in the background ignores INT, and so do all its descendants: a shell
/// cannot even set a trap then, and an agent would not receive its interrupt.
public final class DefaultSignals {
  private static final Logger LOG = LoggerFactory.getLogger(DefaultSignals.class);
  private static final List<String> ENV = List.of("/usr/bin/env", "--default-signal", "--");

  /// Empty where coreutils is older than 8.31 or another implementation: there agents inherit the
  /// runner's signal settings.
  public static final List<String> COMMAND = works() ? ENV : List.of();

  private DefaultSignals() {}

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
