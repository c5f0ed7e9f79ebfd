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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  private static final Set<String> HARMLESS =
      Set.of("GetItem", "BatchGetItem", "TransactGetItems", "Query", "StartExecution", "DryRun");
  private static final String NOBODY = "W#-#";
  private static final String EXECUTION = "\"name\":\"nothing\"";
  private static final String RUNNER = "/functions/Runner/invocations";

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
    Set<String> seen =
        changesNothing(() -> statuses.addAll(new ApiHandler(Map.of()).prime(routes)));
    assertEquals(routes.split(",", -1).length, statuses.size(), statuses::toString);
    assertTrue(statuses.stream().allMatch(status -> status < 500), statuses::toString);
    assertEquals(
        routes.contains("POST "), seen.containsAll(Set.of("TransactWriteItems", "StartExecution")));
  }

  @Test
  void theStepsOfATurnEndAtOneThatIsNotThere() throws Exception {
    Set<String> seen = changesNothing(new TurnStepsHandler(Map.of())::prime);
    assertTrue(seen.containsAll(Set.of("TransactWriteItems", "DryRun")), seen::toString);
  }

  @Test
  void theSenderOfWebhooksFindsNoEvent() throws Exception {
    Set<String> seen = changesNothing(new WebhooksHandler(Map.of())::prime);
    assertFalse(seen.isEmpty());
  }

  private interface Act {
    void run() throws Exception;
  }

  /// Returns the operations that it calls. It reads, removes what is not there, asks whether it may
  /// call the runner, and is refused an execution.
  private static Set<String> changesNothing(Act priming) throws Exception {
    Queue<AwsCall> seen = new ConcurrentLinkedQueue<>();
    Queue<Integer> refusals = new ConcurrentLinkedQueue<>();
    rig.wire()
        .rule(
            NOBODY,
            (call, onward) -> {
              seen.add(call);
              return onward.send();
            });
    rig.wire()
        .rule(
            EXECUTION,
            (call, onward) -> {
              seen.add(call);
              ProxyReply reply = onward.send();
              refusals.add(reply.status());
              return reply;
            });
    rig.wire()
        .rule(
            RUNNER,
            (call, _) -> {
              seen.add(call);
              return ProxyReply.json(204, "");
            });
    priming.run();
    Stream.of(NOBODY, EXECUTION, RUNNER).forEach(rig.wire()::forget);
    assertTrue(refusals.stream().allMatch(status -> status == 400), refusals::toString);
    for (AwsCall call : seen) {
      boolean harmless = HARMLESS.contains(call.operation()) || removes(call);
      assertTrue(harmless, call::toString);
    }
    return seen.stream().map(AwsCall::operation).collect(Collectors.toSet());
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
