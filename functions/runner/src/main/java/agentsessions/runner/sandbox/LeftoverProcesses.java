package agentsessions.runner.sandbox;

import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.sandbox.process.ProcessSweep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Processes that must be gone when a turn has ended: one that outlives its turn could read the
/// next one's data, or reply in its place.
///
/// @param kinds tells them from all other processes
/// @param mostDoubts see [ProcessSweep]
public record LeftoverProcesses(Function<ProcessHandle, ProcessSweep.Kind> kinds, int mostDoubts) {
  private static final int BESIDE_OTHERS = 20;

  /// All processes that start after this call, for an environment that is the runner's alone, as on
  /// Lambda. (A process id that is reused counts as another process.)
  public static LeftoverProcesses fromNow() {
    Set<ProcessHandle> known = ProcessHandle.allProcesses().collect(Collectors.toUnmodifiableSet());
    return new LeftoverProcesses(process -> ourOwnIf(!known.contains(process)), Integer.MAX_VALUE);
  }

  /// All processes of a session's user, which no other process runs as; none where agents run as
  /// the runner's own user.
  public static LeftoverProcesses of(AgentUser user) {
    return new LeftoverProcesses(
        process ->
            user.id().isPresent() ? kind(process, user.id().getAsInt()) : ProcessSweep.Kind.OTHER,
        BESIDE_OTHERS);
  }

  /// Kills them repeatedly until none is left. There is no limit where they are met alive, and on
  /// Lambda none at all: no response may be given while one is left, and a timeout then ends the
  /// whole environment. Elsewhere one that forks and is gone without a pause can hide for twenty
  /// rounds from a look at it.
  public void end() {
    ProcessHandle self = ProcessHandle.current();
    ProcessSweep sweep =
        new ProcessSweep(
            process -> process.equals(self) ? ProcessSweep.Kind.OTHER : kinds.apply(process),
            mostDoubts);
    while (!sweep.leavesNone()) {
      Pause.millis(2);
    }
  }

  /// Reads the user from the content of `status` and not from the file's owner, which a process can
  /// turn to root.
  private static ProcessSweep.Kind kind(ProcessHandle process, int user) {
    try {
      return ourOwnIf(
          Files.readAllLines(
                  Path.of("/proc/" + process.pid() + "/status"), StandardCharsets.ISO_8859_1)
              .stream()
              .filter(line -> line.startsWith("Uid:"))
              .anyMatch(line -> line.split("\t", -1)[1].equals(String.valueOf(user))));
    } catch (IOException gone) {
      return ProcessSweep.Kind.UNKNOWN;
    }
  }

  private static ProcessSweep.Kind ourOwnIf(boolean isOurs) {
    return isOurs ? ProcessSweep.Kind.OURS : ProcessSweep.Kind.OTHER;
  }
}
