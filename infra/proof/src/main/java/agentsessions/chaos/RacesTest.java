package agentsessions.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Follow-up, completion, interrupt and follow-up at once: whoever wins, nothing is lost or
/// doubled. (10,000 of them: scripts/bench races.)
@Tag("chaos")
class RacesTest {
  @TempDir Path temp;

  @Test
  void noRaceBreaksAHistory() throws Exception {
    try (Rig rig = Rig.still(temp)) {
      Races races = new Races(rig).run(50, 20);
      System.out.println(races.figures());
      assertEquals(List.of(), races.violations());
    }
  }
}
