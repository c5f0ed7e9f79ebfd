package agentsessions.runner.sandbox;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The resource limits of each process of an agent, as words before its command (`prlimit`) or as
/// commands of a shell.
final class ProcessLimits {
  private ProcessLimits() {}

  /// The unit in which every shell's `ulimit` counts the size of a file.
  private static final int BLOCK = 512;

  /// The same limits, set by the shell that starts a sandbox: one program less runs before the
  /// agent. The limit on processes cannot be among them, since it has to be set within the sandbox.
  static String commands(Limits limits) {
    return """
    ulimit -f %d || exit 125
    ulimit -c 0 || exit 125
    ulimit -n %d || exit 125
    """
        .formatted(limits.file() / BLOCK, limits.open());
  }

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
