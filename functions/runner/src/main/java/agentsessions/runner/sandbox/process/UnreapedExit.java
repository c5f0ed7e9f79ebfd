package agentsessions.runner.sandbox.process;

import java.util.OptionalInt;

/// The exit status of an agent whose end its namespace's first process does not collect: because
/// the agent holds that process, or because a busy machine has no time for it. Then the kernel is
/// asked.
///
/// One check is not enough: every agent is a zombie for a moment before its end is noticed, and in
/// that moment it may have been killed only because its whole namespace ended.
public final class UnreapedExit {
  private boolean seen;
  private OptionalInt status = OptionalInt.empty();

  /// Takes the finding of one check, and returns whether the agent's end will not be noticed
  /// otherwise.
  ///
  /// @param isNoticed whether the process that waits for the agent has ended
  /// @param gone the status of an ended agent, as {@link ProcessTree#unreapedStatus} gives it
  public boolean check(boolean isNoticed, OptionalInt gone) {
    OptionalInt found = isNoticed ? OptionalInt.empty() : gone;
    if (seen && found.isPresent()) {
      status = found;
    }
    seen = found.isPresent();
    return status.isPresent();
  }

  /// The status; empty if the end was noticed, or there was none.
  public OptionalInt status() {
    return status;
  }
}
