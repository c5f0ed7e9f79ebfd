package agentsessions.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` at every boundary of a turn: nothing that was accepted is lost, every turn ends, and
/// its session goes on. (Twenty times, in real time: scripts/bench kills.)
@Tag("chaos")
class KillsTest {
  @TempDir Path temp;

  @Test
  void aKillLosesNothing() throws Exception {
    try (Kills kills = new Kills(temp, false)) {
      kills.kill(Kills.Victim.RUNNER).kill(Kills.Victim.SERVICE);
      System.out.println(kills.figures());
      assertEquals(List.of(), kills.failures());
    }
  }
}
