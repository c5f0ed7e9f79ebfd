package agentsessions.runner.sandbox.process;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/// Kills all processes of one kind among those of the machine, which may fork meanwhile.
///
/// Processes are listed first and told apart then. One that is gone by then may have left a child
/// that the list does not have, and one that is about to run another program has no environment for
/// a moment. So a round that meets such a process for the first time does not show that none is
/// left. Where other processes come and go all the time, twenty rounds without a living one show
/// it.
public final class ProcessSweep {
  private static final int MOST_DOUBTS = 20;

  private final Function<ProcessHandle, Kind> kinds;
  private Set<ProcessHandle> unknown = Set.of();
  private int doubts;

  /// What a process is to a sweep.
  public enum Kind {
    OURS,
    OTHER,
    UNKNOWN
  }

  /// @param kinds tells processes apart; whether they still live is asked afterwards
  public ProcessSweep(Function<ProcessHandle, Kind> kinds) {
    this.kinds = kinds;
  }

  /// Goes once through all processes.
  ///
  /// @return whether none of the kind is left
  public boolean leavesNone() {
    Set<ProcessHandle> met = new HashSet<>();
    long living =
        ProcessHandle.allProcesses()
            .filter(process -> isOurs(process, met))
            .map(ProcessHandle::destroyForcibly)
            .count();
    boolean isCertain = unknown.containsAll(met);
    unknown = met;
    doubts = living > 0 ? 0 : doubts + 1;
    return living == 0 && (isCertain || doubts == MOST_DOUBTS);
  }

  private boolean isOurs(ProcessHandle process, Set<ProcessHandle> met) {
    Kind kind = kinds.apply(process);
    boolean isGone = kind == Kind.OURS && ProcessTree.isGone(process);
    if (isGone || kind == Kind.UNKNOWN) {
      met.add(process);
    }
    return kind == Kind.OURS && !isGone;
  }
}
