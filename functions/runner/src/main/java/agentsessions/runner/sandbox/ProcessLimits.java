package agentsessions.runner.sandbox;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The limits that the kernel holds each process of an agent to, as words before its command.
final class ProcessLimits {
  private ProcessLimits() {}

  /// Processes are counted by a user's limit only where there is no group, which counts a turn's:
  /// the kernel counts all that a user has, on the whole machine.
  static List<String> words(Limits limits, Optional<ControlGroup> group) {
    List<String> words = new ArrayList<>(List.of("/usr/bin/prlimit"));
    if (group.isEmpty()) {
      words.add("--nproc=" + limits.processes());
    }
    words.addAll(
        List.of("--fsize=" + limits.file(), "--core=0", "--nofile=" + limits.open(), "--"));
    return words;
  }
}
