package agentsessions.runner.sandbox;

import agentsessions.runner.sandbox.process.Pause;
import agentsessions.runner.sandbox.process.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Processes that must be gone when a turn has ended: one that outlives its turn could read the
/// next one's data, or reply in its place.
///
/// @param are selects them among all processes but this one
public record LeftoverProcesses(Predicate<ProcessHandle> are) {

  /// All processes that start after this call, for an environment that is the runner's alone, as on
  /// Lambda. (A process id that is reused counts as another process.)
  public static LeftoverProcesses fromNow() {
    Set<ProcessHandle> known = ProcessHandle.allProcesses().collect(Collectors.toUnmodifiableSet());
    return new LeftoverProcesses(process -> !known.contains(process));
  }

  /// All processes of a session's user, which no other process runs as; none where agents run as
  /// the runner's own user.
  public static LeftoverProcesses of(AgentUser user) {
    return new LeftoverProcesses(
        process -> user.id().isPresent() && isOf(process, user.id().getAsInt()));
  }

  /// Kills them repeatedly until none is left. There is no limit: no response may be given while
  /// one is left, and on Lambda a timeout then ends the whole environment.
  public void end() {
    while (living().map(ProcessHandle::destroyForcibly).count() > 0) {
      Pause.millis(2);
    }
  }

  Stream<ProcessHandle> living() {
    ProcessHandle self = ProcessHandle.current();
    return ProcessHandle.allProcesses()
        .filter(process -> !process.equals(self) && are.test(process))
        .filter(process -> !ProcessTree.isGone(process));
  }

  /// Reads the user from the content of `status` and not from the file's owner, which a process can
  /// turn to root.
  private static boolean isOf(ProcessHandle process, int user) {
    try {
      return Files.readAllLines(
              Path.of("/proc/" + process.pid() + "/status"), StandardCharsets.ISO_8859_1)
          .stream()
          .filter(line -> line.startsWith("Uid:"))
          .anyMatch(line -> line.split("\t", -1)[1].equals(String.valueOf(user)));
    } catch (IOException gone) {
      return false;
    }
  }
}
