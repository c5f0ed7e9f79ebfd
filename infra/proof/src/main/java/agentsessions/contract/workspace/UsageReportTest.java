package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The usage report of a workspace by day, agent, model and key; shown with an agent without a
/// model, which uses time only.
@Section(number = "api", title = "Usage of a workspace")
final class UsageReportTest {
  private static final String ALL = "group_by=day&group_by=agent&group_by=model&group_by=key";

  private final Client client = Target.client();

  @Test
  void eachTurnIsInTheSumsOnceOnceItIsSettled() {
    assumeTrue(Target.makesKeys(), "needs a workspace that nobody else uses");
    SessionHandle interrupted = client.create("sleep 300");
    interrupted.first().running();
    interrupted.send("echo done").completed();
    SessionHandle other = client.create("sleep 0.2; exit 1");
    other.first().ended();
    client.create("sleep 300").first(); // live, or never claimed: not in the sums yet
    JsonNode all =
        client
            .await("all three turns in the sums")
            .until(() -> only("/usage"), row -> row.path("turns").asInt() >= 3);
    assertEquals(3, all.path("turns").asInt(), all::toString);
    assertEquals(0, all.path("model_requests").asInt(), all::toString);
    assertEquals(0, all.path("cost_usd").decimalValue().signum(), all::toString);
    BigDecimal seconds = seconds(interrupted).add(seconds(other));
    assertEquals(0, seconds.compareTo(all.path("active_seconds").decimalValue()), all::toString);
    assertFalse(ApiResponse.fields(all).contains("day"), all::toString);
  }

  @Test
  void aRowSaysTheDayTheAgentAndTheKey() {
    client.create("echo row").first().completed();
    String from = LocalDate.now(ZoneOffset.UTC).minusDays(1).toString();
    JsonNode rows = items("/usage?" + ALL + "&from=" + from);
    JsonNode row = rows.get(rows.size() - 1);
    assertTrue(from.compareTo(row.path("day").asText()) <= 0, row::toString);
    assertEquals("shell", row.path("agent_name").asText());
    assertEquals(client.get("/me").text("/key_id"), row.path("key_id").asText());
    assertFalse(row.has("model"), row::toString);
  }

  @Test
  void aDayWithoutTurnsHasNoRow() {
    assertEquals(0, items("/usage?group_by=day&from=2020-01-01&to=2020-12-31").size());
    assertEquals(0, only("/usage?from=2020-01-01&to=2020-12-31").path("turns").asInt());
  }

  @Tag("stack")
  @Test
  void whoAsksForCsvGetsTheSameAsCsv() {
    client.create("echo csv").first().completed();
    ApiResponse csv = client.get("/usage?group_by=agent", "Accept", "text/csv").expect(200);
    assertTrue(csv.header("Content-Type").startsWith("text/csv"), csv::toString);
    List<String> lines = csv.body().lines().toList();
    assertEquals(
        "agent_name,turns,model_requests,input_tokens,output_tokens,cache_read_tokens,"
            + "cache_write_tokens,active_seconds,cost_usd,complete,known_cost_usd",
        lines.getFirst());
    assertTrue(
        lines.getLast().matches("shell,[0-9]+,0,0,0,0,0,[0-9.]+,0.000000,(true|false),0.000000"),
        csv.body());
  }

  @Test
  void anotherWorkspaceSeesNothingOfIt() {
    client.create("echo mine").first().completed();
    String key = client.get("/me").text("/key_id");
    JsonNode others = Target.otherClient().get("/usage?group_by=key").ok().path("items");
    assertFalse(others.findValuesAsText("key_id").contains(key), others::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from=today",
        "from=2026-02-30",
        "from=2026-11-21T00:00:00Z",
        "from=-2026-01-01",
        "from=",
        "from=2020-01-01&from=2020-01-01",
        "from=2020-01-01&to=2021-01-01",
        "from=2020-01-02&to=2020-01-01",
        "to=20260101",
        "to=0000-01-00",
        "group_by=week",
        "group_by=day,agent",
        "group_by=",
        "since=2020-01-01"
      })
  void whatCannotBeMeantIsRefused(String query) {
    client.get("/usage?" + query).invalid(query.split("=", 2)[0]);
  }

  @Test
  void aLeapYearIsNotTooLong() {
    client.get("/usage?from=2020-01-01&to=2020-12-31").expect(200);
    client.get("/usage?to=0000-01-01").expect(200);
    client.get("/usage?from=9999-12-01&to=9999-12-31").expect(200);
  }

  private BigDecimal seconds(SessionHandle session) {
    return client.get(session.path()).ok().at("/usage/active_seconds").decimalValue();
  }

  private JsonNode only(String path) {
    JsonNode items = items(path);
    assertEquals(1, items.size(), items::toString);
    return items.get(0);
  }

  private JsonNode items(String path) {
    return client.get(path).ok().path("items");
  }
}
