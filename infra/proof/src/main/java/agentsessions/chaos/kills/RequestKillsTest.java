package agentsessions.chaos.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Kills while people decide: no decision is lost, made twice or invented. (Other seeds, and more:
/// scripts/bench request-kills.)
@Tag("chaos")
@Tag("deep")
@Tag("kills")
@Tag("requests") // with "kills": has a part of its own in scripts/lib/parts
@Timeout(600)
class RequestKillsTest {
  private static final int KILLS = 20;
  private static final long SEED = 1;

  @TempDir private Path temp;

  @Test
  void twentyKillsLoseDoubleAndInventNoDecision() throws Exception {
    try (RequestKills kills = new RequestKills(temp)) {
      kills.run(KILLS, SEED);
      System.out.println(kills.figures());
      assertEquals(List.of(), kills.failures());
    }
  }
}
