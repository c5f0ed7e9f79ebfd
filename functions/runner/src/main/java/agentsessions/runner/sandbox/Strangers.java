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

/// Processes that must not be there when a turn has ended. One that outlived its turn could read,
/// or answer for, the next one.
///
/// @param are which of the others' processes
public record Strangers(Predicate<ProcessHandle> are) {

  /// All that begin from now on, for an environment that is the runner's alone, as on Lambda. (A
  /// number that is used again is another process.)
  public static Strangers fromNow() {
    Set<ProcessHandle> known = ProcessHandle.allProcesses().collect(Collectors.toUnmodifiableSet());
    return new Strangers(process -> !known.contains(process));
  }

  /// All of a session's user, who is nobody else and cannot become it; none where agents are the
  /// runner's own user.
  public static Strangers of(AgentUser user) {
    return new Strangers(process -> user.id().isPresent() && isOf(process, user.id().getAsInt()));
  }

  /// Kills them again and again until none is left. There is no bound: as long as one is there,
  /// nothing may be answered, and Lambda ends the environment with it.
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

  /// Asked of the kernel by what it says, not by whose the file is: a process can give that to
  /// root.
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
