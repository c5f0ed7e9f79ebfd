package agentsessions.agents;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.agents.model.ModelServer;
import agentsessions.agents.model.ModelServer.Told;
import agentsessions.agents.model.TokenUsage;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The coding agents of the catalogue, as their makers ship them, each in one session of six turns:
/// it remembers, also after an interrupt; it asks for its usual model where none was chosen, and
/// for another one from the message that chooses it; its usage is the model's own figure, to the
/// token, and its cost follows `infra/prices.yaml`; and a ceiling stops it. The scripted model
/// refuses only requests that a message told it to refuse. An agent that is not installed is
/// skipped, with a message.
@Tag("agents")
@Isolated("the model counts the calls of all agents together")
@ExtendWith(SharedScriptedService.class)
final class CommandLineAgentsTest {
  private static final String MARK = "1000 20 300 40 7";
  private static final String USE = " [[use %s]]".formatted(MARK);
  private static final String WORK =
      " [[sh echo 1]] [[sh echo 2]] [[sh echo 3]] [[sh echo 4]] [[sh echo 5]] [[sh echo 6]]";

  /// The limit of a turn that its ceiling stops. An agent that repeats refused requests without end
  /// runs out of this time instead, which is not the expected end.
  private static final int MOST_SECONDS = 90;

  private final ScriptedService scripted;
  private final ModelServer model;

  CommandLineAgentsTest(ScriptedService scripted) {
    this.scripted = scripted;
    this.model = scripted.model();
  }

  @ParameterizedTest
  @CsvSource({"claude, sonnet", "codex, gpt-6-luna", "opencode, gpt-6-luna", "gemini, flash-lite"})
  void aSessionGoesOnAndIsCounted(String agent, String next) {
    Client client = scripted.clientOf(agent);
    model.forgetModels();
    model.forgetUse();
    SessionHandle session =
        client.create(
            agent,
            "I am Ada. [[say On it.]] [[sh echo '# Plan' > PLAN.md; echo hello > hello.txt]]"
                + USE);
    itAnswersAndIsCaptured(session);
    assertAsked(agent, offered(client, agent).path("default_model").asText());
    assertCounted(session.first().poll().at("/thread/usage"), agent);

    itRemembersAfterAnInterrupt(session, next);
    assertAsked(agent, next);
    assertCounted(session.load().path("usage"), agent);
    theKeyStaysOutside(session);

    String failure = session.send("Fail. [[status 400]]").failure();
    assertTrue(failure.contains("the model refused with 400"), failure);
    aCeilingStopsIt(session, "max_model_requests", 3, "ceiling of 3 model requests");
    assertEquals(3, model.told().size());
    aCeilingStopsIt(session, "max_cost_usd", ofOneAnswerAndAHalf(agent, next), "ceiling of $0.00");
    assertTrue(model.told().size() <= 3, () -> model.told().toString());
    assertEquals(List.of(), model.refused());
  }

  /// All models at once, each in a session of its own.
  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void eachOfferedModelIsAskedForByTheNameThatItsVendorKnows(String agent) {
    Client client = scripted.clientOf(agent);
    model.forgetModels();
    List<String> names = new ArrayList<>();
    offered(client, agent).path("models").forEach(name -> names.add(name.asText()));
    List<SessionHandle> sessions =
        names.stream()
            .map(name -> client.create(agent, "Hello. [[ok]]", Map.of("model", name)))
            .toList();
    sessions.forEach(session -> assertEquals("You said: Hello.", session.first().completed()));
    names.forEach(name -> assertAsked(agent, name));
    assertEquals(List.of(), model.refused());
  }

  @Test
  void aCeilingOfDollarsNeedsAModelWithAPrice() {
    Client client = scripted.clientOf("unpriced");
    SessionHandle session = client.create("unpriced", "echo ok");
    session.first().completed();
    Map<String, ?> limits = Map.of("limits", Map.of("session", Map.of("max_cost_usd", 1)));
    JsonNode refused = client.patch(session.path(), limits).refused(422, "VALIDATION");
    assertEquals("limits.session.max_cost_usd", refused.at("/details/0/field").asText());
    session.send("echo ok", Map.of("model", "gpt-6-luna")).completed();
    JsonNode changed = client.patch(session.path(), limits).ok();
    assertEquals(1, changed.at("/limits/session/max_cost_usd").asInt());
  }

  private static void itAnswersAndIsCaptured(SessionHandle session) {
    TurnHandle first = session.first();
    assertEquals("You said: I am Ada.", first.completed());
    assertTrue(first.transcript().contains("On it."), () -> first.transcript().toString());
    List<String> plans = session.planArtifactIds();
    assertEquals(1, plans.size(), plans::toString);
    JsonNode plan = session.artifactAt("/workspace/PLAN.md");
    assertEquals(plans.getFirst(), plan.path("id").asText());
    assertEquals("# Plan\n", PresignedLink.content(plan));
    assertEquals("file", session.artifactAt("/workspace/hello.txt").path("kind").asText());
  }

  /// The turn is interrupted while its tool runs, since the agent asks its model for nothing then.
  private void itRemembersAfterAnInterrupt(SessionHandle session, String next) {
    ProcessMark mark = ProcessMark.fresh();
    TurnHandle waiting =
        session.send(
            "Now wait. [[say Wait.]] [[sh echo look; sleep 1]] [[sh echo more; %s]]"
                .formatted(mark.sleep()));
    waiting.awaitTranscript("Wait.");
    waiting.awaitTranscript("echo look");
    await("its tool at work", Duration.ofMinutes(3), Duration.ofMillis(200)).until(mark::isRunning);
    model.forgetModels();
    TurnHandle after =
        session.send(
            "Who am I? [[sh cat hello.txt; cat /proc/*/environ >seen.txt]] [[recall]]" + USE,
            Map.of("model", next));
    assertEquals("The first was: I am Ada.", after.completed());
    assertEquals("interrupted", waiting.status());
    assertFalse(mark.isRunning(), "its tool was left behind");
  }

  private static JsonNode offered(Client client, String agent) {
    for (JsonNode each : client.get("/agents").ok().path("items")) {
      if (each.path("name").asText().equals(agent)) {
        return each;
      }
    }
    throw new AssertionError(agent + " is not offered");
  }

  private void assertAsked(String agent, String name) {
    String asked = model.table().asked(agent, name);
    assertTrue(model.models().contains(asked), () -> asked + " is not of " + model.models());
  }

  private void assertCounted(JsonNode usage, String agent) {
    List<Told> told = model.told();
    TokenUsage sum = told.stream().map(Told::used).reduce(TokenUsage.NONE, TokenUsage::plus);
    boolean tellsWritten = agent.equals("claude");
    assertEquals(told.size(), usage.path("model_requests").asInt(), usage::toString);
    assertEquals(sum.input(), usage.path("input_tokens").asLong(), usage::toString);
    assertEquals(sum.wrote(), usage.path("output_tokens").asLong(), usage::toString);
    assertEquals(sum.cached(), usage.path("cache_read_tokens").asLong(), usage::toString);
    assertEquals(
        tellsWritten ? sum.written() : 0,
        usage.path("cache_write_tokens").asLong(),
        usage::toString);
    double dollars =
        told.stream().mapToDouble(each -> dollars(each.model(), each.used(), tellsWritten)).sum();
    assertEquals(dollars, usage.path("cost_usd").asDouble(), 0.000_005, usage::toString);
    assertTrue(usage.path("complete").asBoolean(), usage::toString);
  }

  private double dollars(String name, TokenUsage used, boolean tellsWritten) {
    return model.table().dollars(name, used, tellsWritten ? used.written() : 0);
  }

  /// A ceiling between the cost of one answer and of two, so that the second answer passes it.
  private BigDecimal ofOneAnswerAndAHalf(String agent, String name) {
    TokenUsage used = TokenUsage.of(MARK);
    double one = dollars(model.table().asked(agent, name), used, agent.equals("claude"));
    return BigDecimal.valueOf(1.5 * one).setScale(6, RoundingMode.HALF_UP);
  }

  private void theKeyStaysOutside(SessionHandle session) {
    assertTrue(
        model.keys().stream().allMatch(key -> key.endsWith(ScriptedService.KEY)),
        model.keys()::toString);
    String seen = PresignedLink.content(session.artifactAt("/workspace/seen.txt"));
    assertTrue(seen.contains("AGENT_MODEL_URL="), seen);
    assertFalse(seen.contains(ScriptedService.KEY), seen);
  }

  private void aCeilingStopsIt(SessionHandle session, String name, Number ceiling, String named) {
    model.forgetUse();
    Map<String, ?> turn = Map.of(name, ceiling, "max_seconds", MOST_SECONDS);
    String failure =
        session.send("Work." + USE + WORK, Map.of("limits", Map.of("turn", turn))).failure();
    assertTrue(failure.contains("BUDGET_REACHED") && failure.contains(named), failure);
  }
}
