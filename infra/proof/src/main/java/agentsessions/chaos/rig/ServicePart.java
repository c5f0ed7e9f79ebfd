package agentsessions.chaos.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a service on one machine is made of: its own process, and the children that it starts.
public enum ServicePart {
  SERVICE("agentsessions.local.Main"),
  DATABASE("agentsessions.local.dynamodb.ParentWatch"),
  /// Asks, while the service starts, what keeps agents apart.
  PROBE("--probe"),
  RUNNER("agentsessions.runner.start.Main");

  private final String word;

  ServicePart(String word) {
    this.word = word;
  }

  /// Whether a process is this part; its command line is longer than Java's own handles tell.
  public boolean is(ProcessHandle process) {
    String line = commandLine(process);
    return line.contains(word) && (this == PROBE || !line.contains(PROBE.word));
  }

  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }
}
