package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The conclusion from the exit status of the first sandbox on a machine.
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
