package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.sandbox.process.ControlGroup;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the end of the first sandbox says of a machine, and what bounds the next ones.
class BubblewrapTest {
  @Test
  void aSandboxThatFailsSaysWhyThereIsNone() {
    assertEquals(Optional.of("no namespaces"), Bubblewrap.refusal(1, "no namespaces\n"));
    assertEquals(Optional.empty(), Bubblewrap.refusal(0, ""));
  }

  @Test
  void aSandboxThatWasKilledSaysNothing() {
    assertThrows(IllegalStateException.class, () -> Bubblewrap.refusal(137, ""));
  }

  /// A user's limit counts what others run as the same user.
  @Test
  void processesAreCountedByTheGroupWhereThereIsOne() {
    String byUser = "--nproc=" + Limits.STANDARD.processes();
    Optional<ControlGroup> group = Optional.of(new ControlGroup(List.of(), 2));
    assertTrue(Bubblewrap.prlimit(Limits.STANDARD, Optional.empty()).contains(byUser));
    assertFalse(Bubblewrap.prlimit(Limits.STANDARD, group).contains(byUser));
  }
}
