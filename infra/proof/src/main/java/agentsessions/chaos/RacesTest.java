package agentsessions.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Follow-up, completion, interrupt and follow-up at once: whoever wins, nothing is lost or
/// doubled. (10,000 of them: scripts/bench races.)
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class RacesTest {
  @Test
  void noRaceBreaksAHistory() throws Exception {
    Rig rig = SharedRig.STILL.rig();
    Races races = new Races(rig).run(50, 20);
    System.out.println(races.figures());
    assertEquals(List.of(), races.violations());
  }
}
