package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the end of the first sandbox says of a machine.
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
}
