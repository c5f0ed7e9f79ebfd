package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.Settings;
import agentsessions.talk.Client;
import agentsessions.talk.Session;
import agentsessions.talk.Turn;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the coding agents of the catalogue use, as they come from their makers, is what their model
/// says, to the token; and a ceiling stops each of them. One that is not installed is skipped, and
/// says so.
@Tag("agents")
final class UsageTest {
  private static final String USE = "[[use 1000 20 300 40 7]]";
  private static final String WORK =
      " [[sh echo 1]] [[sh echo 2]] [[sh echo 3]] [[sh echo 4]] [[sh echo 5]] [[sh echo 6]]";

  /// After the last call that it was allowed, with what it does before it tries the next.
  private static final Duration AT_MOST = Duration.ofSeconds(20);

  /// Whatever model is asked.
  private static final String PRICES =
      "'*': {input: 2, output: 10, cache_read: 1, date: 2026-11-22, source: this test}\n";

  @TempDir static Path data;
  private static ScriptedService scripted;

  @BeforeAll
  static void start() throws IOException {
    Path prices = Files.writeString(data.resolve("prices.yaml"), PRICES);
    scripted = ScriptedService.start(data, Map.of(Settings.PRICES_FILE, prices.toString()));
  }

  @AfterAll
  static void stop() {
    scripted.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void whatIsCountedIsWhatTheModelSaid(String agent) {
    Client client = scripted.clientOf(agent);
    scripted.model().forgetUse();
    Session session = client.create(agent, "Hello. [[sh echo 1]] " + USE);
    session.first().completed();
    assertCounted(session.first().poll().at("/thread/usage"), agent);
    session.send("Again. " + USE).completed();
    assertCounted(client.get(session.path()).ok().path("usage"), agent);
  }

  private static void assertCounted(JsonNode usage, String agent) {
    List<Used> told = scripted.model().told();
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

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void aCeilingOfThreeCallsStopsItAtThree(String agent) {
    stopped(agent, Map.of("max_model_requests", 3), "ceiling of 3 model requests");
    assertEquals(3, scripted.model().told().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude", "codex", "opencode", "gemini"})
  void aCeilingInDollarsStopsIt(String agent) {
    stopped(agent, Map.of("max_cost_usd", 0.004), "ceiling of $0.004");
    assertTrue(scripted.model().told().size() <= 3, () -> scripted.model().told().toString());
  }

  private static void stopped(String agent, Map<String, ?> ceiling, String named) {
    Client client = scripted.clientOf(agent);
    scripted.model().forgetUse();
    Session session =
        client.create(agent, "Work. " + USE + WORK, Map.of("limits", Map.of("turn", ceiling)));
    Turn turn = session.first();
    String failure = turn.failure();
    assertTrue(failure.contains("BUDGET_REACHED") && failure.contains(named), failure);
    Instant ended = Instant.parse(turn.poll().at("/thread/ended_at").asText());
    Duration late = Duration.between(scripted.model().lastAsked(), ended);
    System.err.println(agent + " ended " + late.toMillis() + " ms after its last call");
    assertTrue(late.compareTo(AT_MOST) < 0, () -> "ended after " + late);
  }
}
