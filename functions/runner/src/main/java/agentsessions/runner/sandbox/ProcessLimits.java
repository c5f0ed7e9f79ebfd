package agentsessions.runner.sandbox;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The resource limits of each process of an agent (`prlimit`), as words before its command.
final class ProcessLimits {
  private ProcessLimits() {}

  /// The limit on processes is set only without a control group: the kernel counts it over all
  /// processes of a user on the whole machine, the group counts those of the turn.
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
