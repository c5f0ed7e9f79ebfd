package agentsessions.chaos.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.lambda.ApiHandler;
import agentsessions.lambda.TurnStepsHandler;
import agentsessions.lambda.WebhooksHandler;
import agentsessions.local.machine.SamTemplate;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The requests by which a function warms up before its snapshot: they read the table, and change
/// nothing in it.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class PrimingTest {
  private static final Set<String> READS =
      Set.of("GetItem", "BatchGetItem", "TransactGetItems", "Query");
  private static final String NOBODY = "W#-#";

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.STILL.rig();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Sessions", "Messages", "Artifacts", "Exports", "Events", "Settings", "RunnerApi"})
  void aFunctionReadsAndIsRefused(String function) throws Exception {
    String routes = SamTemplate.properties(function).at("/Environment/Variables/PRIME").asText();
    List<Integer> statuses = new ArrayList<>();
    changesNothing(() -> statuses.addAll(new ApiHandler(Map.of()).prime(routes)));
    assertEquals(routes.split(",", -1).length, statuses.size(), statuses::toString);
    assertTrue(statuses.stream().allMatch(status -> status < 500), statuses::toString);
  }

  @Test
  void theStepsOfATurnEndAtOneThatIsNotThere() throws Exception {
    changesNothing(new TurnStepsHandler(Map.of())::prime);
  }

  @Test
  void theSenderOfWebhooksFindsNoEvent() throws Exception {
    changesNothing(new WebhooksHandler(Map.of())::prime);
  }

  private interface Act {
    void run() throws Exception;
  }

  /// There is something to see, and it reads, or removes what is not there.
  private static void changesNothing(Act priming) throws Exception {
    Queue<AwsCall> seen = new ConcurrentLinkedQueue<>();
    rig.wire()
        .rule(
            NOBODY,
            (call, onward) -> {
              seen.add(call);
              return onward.send();
            });
    priming.run();
    rig.wire().forget(NOBODY);
    assertFalse(seen.isEmpty());
    for (AwsCall call : seen) {
      assertTrue(READS.contains(call.operation()) || removes(call), call::toString);
    }
  }

  private static boolean removes(AwsCall call) throws IOException {
    JsonNode items = Client.JSON.readTree(call.body()).path("TransactItems");
    for (JsonNode item : items) {
      if (!item.properties().stream().allMatch(write -> write.getKey().equals("Delete"))) {
        return false;
      }
    }
    return !items.isEmpty();
  }
}
