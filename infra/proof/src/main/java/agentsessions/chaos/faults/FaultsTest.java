package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.SharedRig;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Fault injection in the gate: nothing is done twice, and no client sees a server error while
/// there is time to retry.
@Tag("chaos")
class FaultsTest {
  private static final int MORE_THAN_THE_SDK_TRIES = 4;

  /// One in so many pairs of a call and a fault is tried in the gate.
  private static final int STRIDE = 8;

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.IMPATIENT.rig();
  }

  @Test
  void callsSurviveFaults() throws Exception {
    calls(STRIDE);
  }

  @Test
  @Tag("deep")
  void everyCallSurvivesEveryFault() throws Exception {
    calls(1);
  }

  @Test
  void timeOutsAfterTheCommitChangeNothing() throws Exception {
    timeOuts(STRIDE);
  }

  @Test
  @Tag("deep")
  void aTimeOutAfterTheCommitChangesNothing() throws Exception {
    timeOuts(1);
  }

  @Test
  void theSweepSurvivesFaults() throws Exception {
    sweeps(STRIDE);
  }

  @Test
  @Tag("deep")
  void theSweepSurvivesEveryFault() throws Exception {
    sweeps(1);
  }

  private static void calls(int stride) throws Exception {
    Set<Fault> quick = EnumSet.of(Fault.CONFLICT, Fault.THROTTLED, Fault.REFUSED, Fault.LEFT_OVER);
    Set<Fault> lost = EnumSet.of(Fault.DONE_AND_UNHEARD);
    List<Experiment> all = CallCounter.all();
    none(new Faults(rig, stride).meet(all, quick, 1).meet(all, lost, MORE_THAN_THE_SDK_TRIES));
  }

  private static void timeOuts(int stride) throws Exception {
    Set<Fault> late = EnumSet.of(Fault.DONE_AND_TIMED_OUT);
    none(new Faults(rig, stride).meet(Experiment.ofChanges(), late, 1));
  }

  private static void sweeps(int stride) throws Exception {
    Set<Fault> faults = EnumSet.of(Fault.THROTTLED, Fault.DONE_AND_UNHEARD);
    rig.letSweep(true);
    try {
      none(new Faults(rig, stride).meetOneByOne(Experiment.ofSweeps(), faults, 1));
    } finally {
      rig.letSweep(false);
    }
  }

  private static void none(Faults faults) {
    System.out.println(faults.figures());
    assertEquals(List.of(), faults.failures());
  }
}
