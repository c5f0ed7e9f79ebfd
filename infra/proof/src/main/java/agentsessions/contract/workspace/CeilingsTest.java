package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Limits of a turn's usage, given with the message; shown with an agent without a model, which
/// uses time only.
@Section(number = "api", title = "Ceilings")
final class CeilingsTest {
  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void aTurnEndsWithItsTime() {
    SessionHandle session =
        client.create("sleep 60", Map.of("limits", Map.of("turn", Map.of("max_seconds", 1))));
    JsonNode thread = session.first().ended().path("thread");
    assertEquals("timed_out", thread.path("status").textValue());
    Instant started = Instant.parse(thread.path("started_at").textValue());
    Duration took = Duration.between(started, Instant.parse(thread.path("ended_at").textValue()));
    assertTrue(took.compareTo(Duration.ofSeconds(1)) >= 0, took::toString);
  }

  @Test
  void aMessageMayHaveLessTimeThanItsSessionsTurns() {
    SessionHandle session =
        client.create("echo", Map.of("limits", Map.of("turn", Map.of("max_seconds", 600))));
    session.first().completed();
    TurnHandle less =
        session.send("sleep 60", Map.of("limits", Map.of("turn", Map.of("max_seconds", 1))));
    assertEquals("timed_out", TurnHandle.status(less.ended()));
    session.send("echo").completed();
  }

  @Test
  void aSessionThatHasUsedItsTimeTakesNoMessageUntilItMayUseMore() {
    SessionHandle session =
        client.create("sleep 60", Map.of("limits", Map.of("session", Map.of("max_seconds", 1))));
    String failure = session.first().failure();
    assertTrue(failure.contains("BUDGET_REACHED"), failure);
    assertTrue(failure.contains("The session's ceiling of 1 seconds is reached"), failure);
    client
        .post(session.path() + "/messages", Map.of("message", "echo"))
        .refused(409, "BUDGET_REACHED");
    assertEquals(1, client.get(session.path() + "/threads").ok().path("items").size());
    limit(session, Map.of("session", Map.of("max_seconds", 3600)));
    session.send("echo").completed();
  }

  @Test
  void aCeilingIsClearedByNullAndStaysWhereItIsNotSaid() {
    SessionHandle session =
        client.create("sleep 60", Map.of("limits", Map.of("session", Map.of("max_seconds", 1))));
    String failure = session.first().failure();
    assertTrue(failure.contains("BUDGET_REACHED"), failure);
    limit(session, Map.of("turn", Map.of("max_seconds", 600, "max_cost_usd", 0.25)));
    JsonNode limits = client.get(session.path()).ok().path("limits");
    assertEquals(600, limits.at("/turn/max_seconds").asInt());
    assertEquals(0.25, limits.at("/turn/max_cost_usd").asDouble());
    assertEquals(1, limits.at("/session/max_seconds").asInt());
    assertTrue(limits.at("/session/max_tokens").isNull(), limits::toString);
    client
        .post(session.path() + "/messages", Map.of("message", "echo"))
        .refused(409, "BUDGET_REACHED");
    client.send("PATCH", session.path(), "{\"limits\": {\"session\": null}}").expect(200);
    session.send("echo").completed();
  }

  @Test
  void whatIsNoCeilingIsNamed() {
    List.of(
            Map.of("max_seconds", 0),
            Map.of("max_tokens", -1),
            Map.of("max_model_requests", 1.5),
            Map.of("max_cost_usd", 0),
            Map.of("max_cost_usd", 0.0000001),
            Map.of("max_cost_usd", "1"))
        .forEach(limits -> {
          String field = "limits.turn." + limits.keySet().iterator().next();
          JsonNode refused =
              client
                  .post(
                      "/sessions",
                      Map.of(
                          "agent_name",
                          "shell",
                          "message",
                          "echo",
                          "limits",
                          Map.of("turn", limits)))
                  .refused(422, "VALIDATION");
          assertEquals(field, refused.at("/details/0/field").asText(), refused::toString);
        });
  }

  private void limit(SessionHandle session, Map<String, ?> limits) {
    client.patch(session.path(), Map.of("limits", limits)).expect(200);
  }
}
