package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.SharedRig;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Fault injection where sessions have tasks: a launch whose answer is lost starts one task and not
/// two, and a launcher that dies between launch and record still has its turn claimed.
@Tag("chaos")
@Order(SharedRig.ORDER_OF_TASKS)
class TaskFaultsTest {
  private static final int MORE_THAN_THE_SDK_TRIES = 4;
  private static final int STRIDE = 8;

  @Test
  void callsSurviveFaults() throws Exception {
    meet(STRIDE);
  }

  @Test
  @Tag("deep")
  void everyCallSurvivesEveryFault() throws Exception {
    meet(1);
  }

  private static void meet(int stride) throws Exception {
    Rig rig = SharedRig.OF_TASKS.rig();
    Faults faults =
        new Faults(rig, stride)
            .meet(
                TaskExperiments.all(),
                EnumSet.of(Fault.CONFLICT, Fault.THROTTLED, Fault.REFUSED, Fault.LEFT_OVER),
                1)
            .meet(
                TaskExperiments.all(), EnumSet.of(Fault.DONE_AND_UNHEARD), MORE_THAN_THE_SDK_TRIES);
    System.out.println(faults.figures());
    assertEquals(List.of(), faults.failures());
  }
}
