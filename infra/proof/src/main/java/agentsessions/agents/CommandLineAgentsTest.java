package agentsessions.agents;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.mark.Mark;
import agentsessions.talk.Client;
import agentsessions.talk.Link;
import agentsessions.talk.Session;
import agentsessions.talk.Turn;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The coding agents of the catalogue, as they come from their makers, each in one session of six
/// turns: it remembers, also after an interrupt; it asks for the model that was chosen, and for
/// another from the message on that chooses it; what it uses is what its model says, to the token;
/// and a ceiling stops it. One that is not installed is skipped, and says so.
@Tag("agents")
@ExtendWith(Shared.class)
final class CommandLineAgentsTest {
  private static final String USE = " [[use 1000 20 300 40 7]]";
  private static final String WORK =
      " [[sh echo 1]] [[sh echo 2]] [[sh echo 3]] [[sh echo 4]] [[sh echo 5]] [[sh echo 6]]";

  /// For a turn that its ceiling stops: an agent that would try on and on runs out of it, which is
  /// another end than the one that is expected.
  private static final int MOST_SECONDS = 90;

  private final ScriptedService scripted;
  private final ModelServer model;

  CommandLineAgentsTest(ScriptedService scripted) {
    this.scripted = scripted;
    this.model = scripted.model();
  }

  @ParameterizedTest
  @CsvSource({
    "claude, sonnet, opus",
    "codex, gpt-5-mini, gpt-5-codex",
    "opencode, gpt-5-mini, gpt-5-codex",
    "gemini, flash-lite, gemini-2.5-pro"
  })
  void aSessionGoesOnAndIsCounted(String agent, String first, String next) {
    Client client = scripted.clientOf(agent);
    model.forgetModels();
    model.forgetUse();
    Session session =
        client.create(
            agent,
            "I am Ada. [[say On it.]] [[sh echo '# Plan' > PLAN.md; echo hello > hello.txt]]" + USE,
            Map.of("model", first));
    itAnswersAndIsCaptured(session);
    assertAsked(first);
    assertCounted(session.first().poll().at("/thread/usage"), agent);

    itRemembersAfterAnInterrupt(session, next);
    assertAsked(next);
    assertCounted(session.load().path("usage"), agent);
    theKeyStaysOutside(session);

    String failure = session.send("Fail. [[status 400]]").failure();
    assertTrue(failure.contains("the model refused with 400"), failure);
    aCeilingStopsIt(session, "max_model_requests", 3, "ceiling of 3 model requests");
    assertEquals(3, model.told().size());
    aCeilingStopsIt(session, "max_cost_usd", 0.004, "ceiling of $0.004");
    assertTrue(model.told().size() <= 3, () -> model.told().toString());
  }

  @Test
  void aCeilingOfDollarsNeedsAModelWithAPrice() {
    Client client = scripted.clientOf("codex");
    Session session = client.create("codex", "Hello. [[ok]]", Map.of("model", "gpt-5"));
    session.first().completed();
    Map<String, ?> limits = Map.of("limits", Map.of("session", Map.of("max_cost_usd", 1)));
    JsonNode refused = client.patch(session.path(), limits).refused(422, "VALIDATION");
    assertEquals("limits.session.max_cost_usd", refused.at("/details/0/field").asText());
    session.send("Hello. [[ok]]", Map.of("model", "gpt-5-codex")).completed();
    JsonNode changed = client.patch(session.path(), limits).ok();
    assertEquals(1, changed.at("/limits/session/max_cost_usd").asInt());
  }

  private static void itAnswersAndIsCaptured(Session session) {
    Turn first = session.first();
    assertEquals("You said: I am Ada.", first.completed());
    assertTrue(first.transcript().contains("On it."), () -> first.transcript().toString());
    List<String> plans = session.planArtifactIds();
    assertEquals(1, plans.size(), plans::toString);
    JsonNode plan = session.artifactAt("/workspace/PLAN.md");
    assertEquals(plans.getFirst(), plan.path("id").asText());
    assertEquals("# Plan\n", Link.content(plan));
    assertEquals("file", session.artifactAt("/workspace/hello.txt").path("kind").asText());
  }

  /// It is interrupted while its tool runs, when it asks its model for nothing.
  private void itRemembersAfterAnInterrupt(Session session, String next) {
    Mark mark = Mark.fresh();
    Turn waiting =
        session.send(
            "Now wait. [[say Wait.]] [[sh echo look; sleep 1]] [[sh echo more; %s]]"
                .formatted(mark.sleep()));
    waiting.awaitTranscript("Wait.");
    waiting.awaitTranscript("echo look");
    await("its tool at work", Duration.ofMinutes(1), Duration.ofMillis(200)).until(mark::isRunning);
    model.forgetModels();
    Turn after =
        session.send(
            "Who am I? [[sh cat hello.txt; cat /proc/*/environ >seen.txt]] [[recall]]" + USE,
            Map.of("model", next));
    assertEquals("The first was: I am Ada.", after.completed());
    assertEquals("interrupted", waiting.status());
    assertFalse(mark.isRunning(), "its tool was left behind");
  }

  private void assertAsked(String name) {
    assertTrue(
        model.models().stream().anyMatch(asked -> asked.contains(name)), model.models()::toString);
  }

  private void assertCounted(JsonNode usage, String agent) {
    List<Used> told = model.told();
    Used sum = told.stream().reduce(Used.NONE, Used::plus);
    long written = agent.equals("claude") ? sum.written() : 0;
    assertEquals(told.size(), usage.path("model_requests").asInt(), usage::toString);
    assertEquals(sum.input(), usage.path("input_tokens").asLong(), usage::toString);
    assertEquals(sum.wrote(), usage.path("output_tokens").asLong(), usage::toString);
    assertEquals(sum.cached(), usage.path("cache_read_tokens").asLong(), usage::toString);
    assertEquals(written, usage.path("cache_write_tokens").asLong(), usage::toString);
    double dollars = (2 * (sum.input() + written) + 10 * sum.wrote() + sum.cached()) / 1_000_000.0;
    assertEquals(dollars, usage.path("cost_usd").asDouble(), 0.000_005, usage::toString);
    assertTrue(usage.path("complete").asBoolean(), usage::toString);
  }

  private void theKeyStaysOutside(Session session) {
    assertTrue(
        model.keys().stream().allMatch(key -> key.endsWith(ScriptedService.KEY)),
        model.keys()::toString);
    String seen = Link.content(session.artifactAt("/workspace/seen.txt"));
    assertTrue(seen.contains("AGENT_MODEL_URL="), seen);
    assertFalse(seen.contains(ScriptedService.KEY), seen);
  }

  private void aCeilingStopsIt(Session session, String name, Number ceiling, String named) {
    model.forgetUse();
    Map<String, ?> turn = Map.of(name, ceiling, "max_seconds", MOST_SECONDS);
    String failure =
        session.send("Work." + USE + WORK, Map.of("limits", Map.of("turn", turn))).failure();
    assertTrue(failure.contains("BUDGET_REACHED") && failure.contains(named), failure);
  }
}
