package agentsessions.chaos.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` at the boundaries of a turn: no accepted message is lost, every turn ends, and its
/// session goes on. (Twenty times, in real time: scripts/bench kills.)
@Tag("chaos")
class KillsTest {
  /// The boundaries of the gate: no execution yet, claimed by a runner, agent at work, result on
  /// its way.
  private static final Set<TurnBoundary> SOME =
      EnumSet.of(
          TurnBoundary.ACCEPTED,
          TurnBoundary.CLAIMED,
          TurnBoundary.AGENT_RUNNING,
          TurnBoundary.BEFORE_RESULT);

  @TempDir Path temp;

  @Test
  void aKillAtSomeBoundariesLosesNothing() throws Exception {
    kill(SOME);
  }

  @Test
  @Tag("deep")
  void aKillLosesNothing() throws Exception {
    kill(EnumSet.allOf(TurnBoundary.class));
  }

  private void kill(Set<TurnBoundary> boundaries) throws Exception {
    try (Kills kills = new Kills(temp, false)) {
      kills.kill(Kills.Victim.RUNNER, boundaries).kill(Kills.Victim.SERVICE, boundaries);
      System.out.println(kills.figures());
      assertEquals(List.of(), kills.failures());
    }
  }
}
