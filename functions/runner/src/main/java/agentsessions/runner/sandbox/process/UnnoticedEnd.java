package agentsessions.runner.sandbox.process;

import java.util.OptionalInt;

/// What an agent came to whose end its namespace's first process does not notice: because the agent
/// holds that process, or because a busy machine has no time for it. Then the kernel is asked.
///
/// One look is not enough: an agent is gone for a moment before its end is noticed, and then what
/// is left of its namespace has been killed with it.
public final class UnnoticedEnd {
  private boolean seen;
  private OptionalInt status = OptionalInt.empty();

  /// Takes what a look found, and says whether the agent's end will not be noticed by itself.
  ///
  /// @param isNoticed whether the process that waits for the agent has ended
  /// @param gone the status of an agent that has ended, as {@link ProcessTree#unnoticedStatus} says
  public boolean look(boolean isNoticed, OptionalInt gone) {
    OptionalInt found = isNoticed ? OptionalInt.empty() : gone;
    if (seen && found.isPresent()) {
      status = found;
    }
    seen = found.isPresent();
    return status.isPresent();
  }

  /// Empty if the end was noticed, or there was none.
  public OptionalInt status() {
    return status;
  }
}
