package agentsessions.chaos.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A process of a service on one machine: the service itself, or one of the children that it
/// starts.
public enum ServicePart {
  SERVICE("agentsessions.local.Main"),
  DATABASE("agentsessions.local.dynamodb.ParentWatch"),
  /// The check of the isolation of agents, during the service's start.
  PROBE("--probe"),
  RUNNER("agentsessions.runner.start.Main");

  private final String word;

  ServicePart(String word) {
    this.word = word;
  }

  /// Whether a process is this part, by its command line in `/proc`: Java's own process handles cut
  /// it.
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
