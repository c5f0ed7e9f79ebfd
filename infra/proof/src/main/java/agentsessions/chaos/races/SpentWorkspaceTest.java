package agentsessions.chaos.races;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.SharedRig;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.chaos.rig.TurnIds;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.WebhookReceiver;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A workspace that has reached its spending limit: no message is accepted, no waiting turn begins,
/// and the usage is reported to the token.
@Tag("chaos")
@Order(SharedRig.ORDER_OF_TASKS)
class SpentWorkspaceTest {
  private static final Map<String, Double> NEXT_TO_NOTHING = Map.of("max_cost_usd_per_day", 0.01);

  @BeforeEach
  void stayInOneDay() {
    Await.leftOfTheDay(Duration.ofMinutes(2));
  }

  @Test
  void nothingIsAcceptedOrBegunUntilItMaySpendMore() throws Exception {
    Rig rig = SharedRig.OF_TASKS.rig();
    RigSession talk = new RigSession(rig, 1);
    Client client = talk.client();
    TurnIds first = talk.create("one");
    TurnIds waiting = talk.create("two");
    StubRunner runner = talk.runner(first).claimed();
    client.put("/limits", NEXT_TO_NOTHING).expect(200);
    TurnIds meanwhile = talk.create("three");
    runner.lease().expect(200);
    talk.post("four").refused(409, "BUDGET_REACHED");
    runner.result("done", List.of()).expect(200);
    runner.release().expect(200);

    talk.send("more").refused(409, "BUDGET_REACHED");
    StubRunner late = talk.runner(waiting);
    assertEquals("run", late.begin());
    late.claim(0).refused(409, "NOT_LIVE");
    JsonNode failed = client.get(thread(waiting)).ok();
    assertEquals("BUDGET_REACHED", failed.at("/error/code").asText(), failed::toString);
    String said = failed.at("/error/message").asText();
    assertTrue(said.startsWith("The workspace's ceiling of $0.01 a day is reached"), said);
    told(client);

    client.put("/limits", Map.of()).expect(200);
    talk.runner(meanwhile).claimed();
    talk.post("five").expect(201);
  }

  @Test
  void itIsToldOnceThatMuchIsSpentAndAgainWhenTheCeilingWasRaised() throws Exception {
    try (WebhookReceiver receiver = new WebhookReceiver(Duration.ofMinutes(1))) {
      Rig rig = SharedRig.OF_TASKS.rig();
      RigSession talk = new RigSession(rig, 1);
      Client client = talk.client();
      Map<String, ?> hook = Map.of("url", receiver.url(), "types", List.of("budget.warning"));
      client.post("/webhooks", hook).expect(201);
      double cost = spend(talk);
      client.put("/limits", Map.of("max_cost_usd_per_day", round(2.2 * cost))).expect(200);
      double both = spend(talk);
      JsonNode told = receiver.await(1, "budget.warning").getFirst().json().path("data");
      assertEquals(
          "day usd", told.at("/budget/scope").asText() + " " + told.at("/budget/unit").asText());
      assertEquals(both, told.at("/budget/used").asDouble(), 0.000_001);
      assertEquals(List.of("budget"), ImmutableList.copyOf(told.fieldNames()));
      spend(talk);
      client.put("/limits", Map.of("max_cost_usd_per_month", round(4.4 * cost))).expect(200);
      spend(talk);
      List<String> scopes =
          receiver.await(2, "budget.warning").stream()
              .map(one -> one.json().at("/data/budget/scope").asText())
              .toList();
      assertEquals(List.of("day", "month"), scopes);
    }
  }

  private static double round(double dollars) {
    return BigDecimal.valueOf(dollars).setScale(6, RoundingMode.HALF_UP).doubleValue();
  }

  /// The cost of the workspace after one more turn, in dollars.
  private static double spend(RigSession talk) throws Exception {
    StubRunner runner = talk.runner(talk.create("one")).claimed();
    runner.result("done", List.of()).expect(200);
    runner.release().expect(200);
    return talk.client().get("/usage").ok().at("/items/0/cost_usd").asDouble();
  }

  /// The usage report counts the refused turn as begun, with no usage.
  private static void told(Client client) {
    JsonNode models = client.get("/usage?group_by=model").ok().path("items");
    assertEquals(2, models.size(), models::toString);
    assertEquals(1, models.get(0).path("turns").asInt(), models::toString);
    assertTrue(!models.get(0).has("model"), models::toString);
    JsonNode used = models.get(1);
    assertEquals("claude-opus-4-5", used.path("model").asText());
    assertEquals(2, used.path("model_requests").asInt());
    assertEquals(1000, used.path("input_tokens").asInt());
    assertEquals(30_000, used.path("cache_read_tokens").asInt());
    assertTrue(used.path("cost_usd").asDouble() > 0.01, used::toString);
    JsonNode all = client.get("/usage").ok().at("/items/0");
    assertEquals(used.path("cost_usd"), all.path("cost_usd"));
    assertEquals(2, all.path("turns").asInt());
  }

  private static String thread(TurnIds turn) {
    return "/sessions/%s/threads/%s".formatted(turn.session(), turn.thread());
  }
}
