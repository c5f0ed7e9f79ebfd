package agentsessions.chaos.races;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.SharedRig;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A follow-up, a completion, an interrupt and another follow-up at once: whichever wins, nothing
/// is lost or doubled; and two decisions beside what ends a request. (10,000 races: scripts/bench
/// races.)
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class RacesTest {
  private static final long SEED = 27;

  @Test
  void noneOfSomeRacesBreaksAHistory() throws Exception {
    race(40, 4);
  }

  @Test
  @Tag("deep")
  void noRaceBreaksAHistory() throws Exception {
    race(50, 20);
  }

  @Test
  void aRequestIsDecidedOnce() throws Exception {
    decide(50);
  }

  @Test
  @Tag("deep")
  void noRequestIsDecidedTwice() throws Exception {
    decide(1000);
  }

  private static void decide(int count) throws Exception {
    RequestRaces races = new RequestRaces(SharedRig.STILL.rig(), SEED).run(count);
    System.out.println(races.figures());
    assertEquals(List.of(), races.violations());
  }

  /// @param real number of races with the real runner
  private static void race(int count, int real) throws Exception {
    Rig rig = SharedRig.STILL.rig();
    Races races = new Races(rig, SEED).run(count, real);
    System.out.println(races.figures());
    assertEquals(List.of(), races.violations());
  }
}
