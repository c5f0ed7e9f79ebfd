package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The spending limits of a workspace, which hold for all of its turns together; shown with an
/// agent that costs nothing.
@Section(number = "api", title = "Limits of a workspace")
final class WorkspaceLimitsTest {
  private static final String MONTH = "max_cost_usd_per_month";
  private static final String DAY = "max_cost_usd_per_day";

  private static final String NEEDS = "needs a workspace that nobody else uses";

  private final Client client = AdminClient.of(Target.client()).client();

  @Test
  void eachPutReplacesBoth() {
    assumeTrue(Target.makesKeys(), NEEDS);
    JsonNode both = client.put("/limits", Map.of(MONTH, 500, DAY, 12.5)).ok();
    assertEquals(both, client.get("/limits").ok());
    assertEquals(12.5, both.path(DAY).asDouble());
    JsonNode month = client.put("/limits", Map.of(MONTH, 0.000001)).ok();
    assertEquals(0.000001, month.path(MONTH).asDouble());
    assertTrue(month.path(DAY).isNull(), month::toString);
    JsonNode none = client.send("PUT", "/limits", "{\"%s\": null}".formatted(DAY)).ok();
    assertTrue(none.path(MONTH).isNull() && none.path(DAY).isNull(), none::toString);
    assertEquals(none, client.get("/limits").ok());
  }

  @Tag("stack")
  @Test
  void whatCostsNothingGoesOn() {
    client.put("/limits", Map.of(DAY, 0.000001)).expect(200);
    client.create("echo free").first().completed();
    client.put("/limits", Map.of()).expect(200);
  }

  @Test
  void whatIsNoAmountIsNamedAndChangesNothing() {
    List<Object> none = List.of(0, -1, "5", 0.0000001, 1_000_001, true);
    for (Object amount : none) {
      client.put("/limits", Map.of(MONTH, amount)).invalid(MONTH);
      client.put("/limits", Map.of(MONTH, 5, DAY, amount)).invalid(DAY);
    }
  }

  @Test
  void anotherWorkspaceHasItsOwn() {
    assumeTrue(Target.makesKeys(), NEEDS);
    client.put("/limits", Map.of(MONTH, 77)).expect(200);
    assertEquals(77, client.get("/limits").ok().path(MONTH).asInt());
    JsonNode others = Target.otherClient().get("/limits").ok();
    assertTrue(others.path(MONTH).isNull(), others::toString);
    client.put("/limits", Map.of()).expect(200);
  }
}
