package agentsessions.chaos.races;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.SharedRig;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The paging rules: no page leaves a message out, repeats one or changes the order. (10,000
/// messages: scripts/bench history.)
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class LongHistoryTest {
  private static final int SOME = 120;
  private static final int MESSAGES = 400;

  /// One in so many combinations is read in the gate; with this number each filter is on in some
  /// and off in others.
  private static final int STRIDE = 5;

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.STILL.rig();
  }

  @Test
  void combinationsOfFiltersReadAllOfItInOrder() throws Exception {
    assertEquals(List.of(), new LongHistory(rig).readBack(SOME, STRIDE).failures());
  }

  @Test
  @Tag("deep")
  void everyCombinationOfFiltersReadsAllOfItInOrder() throws Exception {
    assertEquals(List.of(), new LongHistory(rig).readBack(MESSAGES, 1).failures());
  }

  @Test
  void whoeverFollowsSomeNewMessagesMissesAndRepeatsNothing() throws Exception {
    assertEquals(List.of(), new LongHistory(rig).follow(SOME).failures());
  }

  @Test
  @Tag("deep")
  void whoeverFollowsNewMessagesMissesAndRepeatsNothing() throws Exception {
    assertEquals(List.of(), new LongHistory(rig).follow(MESSAGES).failures());
  }
}
