package agentsessions.chaos.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.lambda.ApiHandler;
import agentsessions.local.machine.SamTemplate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The requests by which a function warms up before its snapshot: they read the table, and change
/// nothing in it.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class PrimingTest {
  private static final Set<String> READS = Set.of("GetItem", "BatchGetItem", "Query");
  private static final String NOBODY = "W#-#";

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.STILL.rig();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Sessions", "Messages", "Artifacts", "Exports", "Events", "Settings", "RunnerApi"})
  void aFunctionReadsAndIsRefused(String function) {
    String routes = SamTemplate.properties(function).at("/Environment/Variables/PRIME").asText();
    Set<String> seen = new ConcurrentSkipListSet<>();
    rig.wire()
        .rule(
            NOBODY,
            (call, onward) -> {
              seen.add(call.operation());
              return onward.send();
            });
    List<Integer> statuses = new ApiHandler(Map.of()).prime(routes);
    rig.wire().forget(NOBODY);
    assertEquals(routes.split(",", -1).length, statuses.size(), statuses::toString);
    assertTrue(statuses.stream().allMatch(status -> status < 500), statuses::toString);
    assertTrue(!seen.isEmpty() && READS.containsAll(seen), () -> statuses + " " + seen);
  }
}
