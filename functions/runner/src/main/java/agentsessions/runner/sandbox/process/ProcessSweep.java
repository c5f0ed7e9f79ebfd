package agentsessions.runner.sandbox.process;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/// Kills all processes of one kind among those of the machine, which may fork meanwhile.
///
/// Processes are listed first and told apart then. One that is gone by then may have left a child
/// that the list does not have, and one that is about to run another program has no environment for
/// a moment. So a round shows that none is left only if it meets no such process but those that the
/// round before has met in the same state. Where other processes come and go all the time, that may
/// take long: then a number of rounds without a living one has to do.
public final class ProcessSweep {
  private final Function<ProcessHandle, Kind> kinds;
  private final int mostDoubts;
  private Set<Unknown> unknown = Set.of();
  private int doubts;

  /// What a process is to a sweep.
  public enum Kind {
    OURS,
    OTHER,
    UNKNOWN
  }

  private record Unknown(ProcessHandle process, boolean isGone) {}

  /// @param kinds tells processes apart; whether they still live is asked afterwards
  /// @param mostDoubts how many rounds in a row that have met no living one show that none is left
  public ProcessSweep(Function<ProcessHandle, Kind> kinds, int mostDoubts) {
    this.kinds = kinds;
    this.mostDoubts = mostDoubts;
  }

  /// Goes once through all processes.
  ///
  /// @return whether none of the kind is left
  public boolean leavesNone() {
    Set<Unknown> met = new HashSet<>();
    long living =
        ProcessHandle.allProcesses()
            .filter(process -> isOurs(process, met))
            .map(ProcessHandle::destroyForcibly)
            .count();
    boolean isCertain = unknown.containsAll(met);
    unknown = met;
    doubts = living > 0 ? 0 : doubts + 1;
    return living == 0 && (isCertain || doubts >= mostDoubts);
  }

  private boolean isOurs(ProcessHandle process, Set<Unknown> met) {
    Kind kind = kinds.apply(process);
    boolean isGone = kind != Kind.OTHER && ProcessTree.isGone(process);
    if (isGone || kind == Kind.UNKNOWN) {
      met.add(new Unknown(process, isGone));
    }
    return kind == Kind.OURS && !isGone;
  }
}
