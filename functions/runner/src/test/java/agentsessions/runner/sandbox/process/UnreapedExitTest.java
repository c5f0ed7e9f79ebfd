package agentsessions.runner.sandbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// The source of an agent's exit status: the kernel's record counts only if no process collects the
/// status.
class UnreapedExitTest {
  private static final OptionalInt KILLED = OptionalInt.of(137);

  private final UnreapedExit end = new UnreapedExit();

  @Test
  void aMomentBeforeTheEndIsNoticedDoesNotCount() {
    assertFalse(end.check(false, KILLED));
    assertEquals(OptionalInt.empty(), end.status());
    assertFalse(end.check(true, KILLED));
    assertEquals(OptionalInt.empty(), end.status());
  }

  @Test
  void anEndThatIsStillNotNoticedAtTheNextLookCounts() {
    assertFalse(end.check(false, OptionalInt.of(3)));
    assertTrue(end.check(false, OptionalInt.of(3)));
    assertEquals(OptionalInt.of(3), end.status());
  }

  @Test
  void looksThatFindItRunningBetweenBeginAnew() {
    assertFalse(end.check(false, KILLED));
    assertFalse(end.check(false, OptionalInt.empty()));
    assertFalse(end.check(false, KILLED));
    assertEquals(OptionalInt.empty(), end.status());
  }
}
