package agentsessions.runner.turn.call;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.sandbox.SessionFolders;
import agentsessions.runner.usage.ModelPause;
import agentsessions.runner.usage.TurnClock;
import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A call on which nobody decides while its agent waits, between the gate that tells its hook so
/// and the turn whose agent ends. What a whole turn makes of it is in [ParkedCallsTest].
class HeldCallsTest {
  private static final String CLAIM =
      """
      {"token": "", "fence": 1, "session_id": "00000000-0000-4000-8000-000000000001",
       "thread_id": "", "turn_number": 1, "agent_name": "", "message": "", "deadline_at": 0,
       "check_millis": 1, "renew_seconds": 1,
       "agent": {"command": ["true"], "reply": {"from": "stdout"}, "gate": {"parks": "exact"}}}
      """;

  @TempDir private Path folder;
  @AutoClose private final Loopback service = new Loopback(HeldCallsTest::pending);

  /// An agent that has heard its verdict can end before the gate's thread has noted that it has:
  /// its turn must not be taken for one that cannot go on.
  @Test
  void whetherAVerdictWasHeardIsWaitedFor() throws Exception {
    HeldCalls calls = calls();
    AgentToolCall call = new AgentToolCall("1", "Bash", Json.MAPPER.createObjectNode());
    Verdict verdict = calls.question("execute", call).await();
    CompletableFuture<Boolean> heard = new CompletableFuture<>();
    Thread turn = Thread.ofPlatform().daemon().start(() -> heard.complete(calls.isHeard()));
    Bench.await("its question", () -> turn.getState() == Thread.State.WAITING || heard.isDone());
    calls.answered(verdict, true);
    assertTrue(heard.join());
  }

  /// The session's folder is not there, as a disk may be full.
  @Test
  void anAgentThatCannotBeToldToKeepItsCallIsStopped() throws Exception {
    HeldCalls calls = calls();
    AgentToolCall call = new AgentToolCall("1", "Bash", Json.MAPPER.createObjectNode());
    Verdict _ = calls.question("execute", call).await();
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    calls.onStop(() -> stopped.complete(null));
    assertFalse(calls.notes(call, Verdict.deferred("")));
    assertTrue(stopped.isDone());
    assertFalse(calls.isHeard());
  }

  private HeldCalls calls() throws IOException {
    return new HeldCalls(
        new ServiceClient(URI.create(service.url()), ""),
        Claim.of(Json.MAPPER.readTree(CLAIM)),
        Optional.empty(),
        Duration.ZERO,
        Deadline.of(Duration.ofMinutes(1)),
        Mask.NONE,
        _ -> {},
        new TurnClock(),
        new ModelPause(),
        new KeptCalls(
            new SessionFolders(folder, Optional.empty()).of(UUID.randomUUID().toString())));
  }

  private static void pending(HttpExchange exchange) throws IOException {
    byte[] state = "{\"id\":\"1\",\"status\":\"pending\"}".getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, state.length);
      exchange.getResponseBody().write(state);
    }
  }
}
