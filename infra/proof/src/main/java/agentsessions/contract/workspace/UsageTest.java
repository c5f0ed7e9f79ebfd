package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The usage of turns and sessions; shown with an agent without a model, which uses time only.
@Section(number = "api", title = "Usage")
final class UsageTest {
  private static final List<String> NOTHING =
      List.of(
          "model_requests",
          "input_tokens",
          "output_tokens",
          "cache_read_tokens",
          "cache_write_tokens",
          "cost_usd",
          "known_cost_usd");

  private final Client client = Target.client();

  @Test
  void aTurnWithoutAModelUsesTimeOnly() {
    SessionHandle session = client.create("sleep 0.2");
    JsonNode thread = session.first().ended().path("thread");
    JsonNode usage = thread.path("usage");
    NOTHING.forEach(
        figure -> assertEquals(0, usage.path(figure).decimalValue().signum(), usage::toString));
    assertTrue(usage.path("active_seconds").asDouble() >= 0.2, usage::toString);
    assertTrue(usage.path("complete").asBoolean(), usage::toString);
  }

  @Test
  void aSessionUsesWhatItsTurnsDoAlsoThoseThatWereInterrupted() {
    SessionHandle session = client.create("sleep 300");
    TurnHandle first = session.first().running();
    assertFalse(usage(session).path("complete").asBoolean());
    TurnHandle second = session.send("echo done");
    second.completed();
    JsonNode settled =
        client
            .await("both turns settled")
            .until(() -> usage(session), usage -> usage.path("complete").asBoolean());
    BigDecimal sum = seconds(session, first).add(seconds(session, second));
    assertEquals(0, sum.compareTo(settled.path("active_seconds").decimalValue()));
  }

  @Test
  void aRowOfAListHasNone() {
    client.create("echo row").first().completed();
    JsonNode row = client.get("/sessions?limit=1").ok().at("/items/0");
    assertFalse(ApiResponse.fields(row).contains("usage"), row::toString);
  }

  private JsonNode usage(SessionHandle session) {
    return client.get(session.path()).ok().path("usage");
  }

  private BigDecimal seconds(SessionHandle session, TurnHandle turn) {
    return session.thread(turn).at("/usage/active_seconds").decimalValue();
  }
}
