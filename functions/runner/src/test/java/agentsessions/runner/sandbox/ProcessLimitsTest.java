package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The choice between a control group and a user's limit to count processes.
class ProcessLimitsTest {
  /// A user's limit counts what others run as the same user.
  @Test
  void processesAreCountedByTheGroupWhereThereIsOne() {
    String byUser = "--nproc=" + Limits.STANDARD.processes();
    Optional<ControlGroup> group = Optional.of(new ControlGroup(List.of(), 2));
    assertTrue(ProcessLimits.words(Limits.STANDARD, Optional.empty()).contains(byUser));
    assertFalse(ProcessLimits.words(Limits.STANDARD, group).contains(byUser));
  }
}
