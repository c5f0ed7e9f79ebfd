package agentsessions.runner.sandbox;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The processes of an environment that is the runner's alone, as on Lambda, which were not there
/// when it began. One that outlived its turn could read, or answer for, the next one.
///
/// @param known those that may be there
public record Strangers(Set<ProcessHandle> known) {

  /// All that begin from now on. (A number that is used again is another process.)
  public static Strangers fromNow() {
    return new Strangers(ProcessHandle.allProcesses().collect(Collectors.toUnmodifiableSet()));
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
        .filter(process -> !process.equals(self) && !known.contains(process))
        .filter(process -> !ProcessTree.isGone(process));
  }
}
