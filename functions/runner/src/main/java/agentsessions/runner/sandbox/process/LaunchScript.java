package agentsessions.runner.sandbox.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The first words of an agent's command: a shell that enters the turn's control group, makes
/// itself the kernel's first choice when memory runs out, sets limits, opens the files that
/// bubblewrap reads, and is then replaced by the rest of the command.
///
/// @param group empty where none can be created
/// @param limits commands that set limits, each in a line; none where the rest of the command sets
///   them
/// @param files opened for reading as descriptors 3 and following, at most seven
public record LaunchScript(Optional<ControlGroup> group, String limits, List<Path> files) {
  /// The descriptor of the first file.
  public static final int FIRST = 3;

  private static final Path SHELL = Path.of("/bin/sh");

  /// The words, or none where there is no shell.
  public List<String> words() {
    if (!Files.isExecutable(SHELL)) {
      return List.of();
    }
    List<String> words = new ArrayList<>(List.of(SHELL.toString(), "-c", script(), "launch"));
    files.forEach(file -> words.add(file.toString()));
    group.ifPresent(turn -> turn.entrances().forEach(file -> words.add(file.toString())));
    return words;
  }

  private String script() {
    StringBuilder script = new StringBuilder("echo 1000 2>/dev/null >/proc/self/oom_score_adj\n");
    for (int index = 0; index < files.size(); index++) {
      script.append("exec %d<\"$1\"; shift%n".formatted(FIRST + index));
    }
    int groups = group.map(turn -> turn.entrances().size()).orElse(0);
    for (int index = 0; index < groups; index++) {
      script.append("echo 0 >\"$1\" || exit 125; shift\n");
    }
    return script.append(limits).append("exec \"$@\"").toString();
  }
}
