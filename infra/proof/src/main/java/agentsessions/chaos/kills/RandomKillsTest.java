package agentsessions.chaos.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever part of a service is killed, and whenever: it serves again by itself, and nothing that
/// was accepted is lost. (Other seeds, and more: scripts/bench random-kills.)
@Tag("chaos")
@Tag("deep")
@Tag("kills") // a part of its own
class RandomKillsTest {
  private static final int KILLS = 60;
  private static final long SEED = 1;

  @TempDir private Path temp;

  @Test
  void sixtyKillsEndNoServiceAndLoseNoTurn() throws Exception {
    try (RandomKills kills = new RandomKills(temp)) {
      System.out.println(kills.run(KILLS, SEED).figures());
      assertEquals(List.of(), kills.failures());
    }
  }
}
