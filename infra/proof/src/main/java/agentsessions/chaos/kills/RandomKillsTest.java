package agentsessions.chaos.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random kills of any part of a service, at any time: it recovers by itself, and no accepted
/// message is lost. (Other seeds, and more: scripts/bench random-kills.)
@Tag("chaos")
@Tag("deep")
@Tag("kills") // has a part of its own in scripts/lib/parts
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
