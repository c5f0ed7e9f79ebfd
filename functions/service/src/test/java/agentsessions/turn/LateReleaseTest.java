package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.protocol.SandboxController;
import agentsessions.protocol.UsageReports;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.session.TaskCallbacks;
import agentsessions.testing.SettableClock;
import agentsessions.turn.catalogue.PriceList;
import agentsessions.turn.intake.Decisions;
import agentsessions.wire.RunnerMessages;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A runner that has not heard that its turn is parked lets go of it as of any other.
class LateReleaseTest {
  private static final Duration LIMIT = Duration.ofHours(1);

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final RecordedTaskCalls calls = new RecordedTaskCalls();
  private final TaskCallbacks tasks = InMemoryAws.tasks(table, calls);
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), calls, tasks, "machine", clock);
  private final Turn turn = aws.accepted();

  /// The turn is queued again, and its new execution waits for another runner.
  @Test
  void theExecutionOfTheNextRunnerGoesOn() {
    RunnerCredential token = claimed();
    Request request = aws.heldTurns().ask(load(), call()).orElseThrow();
    Parking.Wish wish = new Parking.Wish(request.id(), true, Optional.empty());
    assertEquals(Parking.Outcome.PARKED, aws.parking().park(load(), wish));
    Decisions.Wanted allowed =
        new Decisions.Wanted(Decision.Word.ALLOW, null, Map.of(), null, "decider");
    assertTrue(aws.decisions().decide(turn.key().sessionKey(), request.id(), allowed).isPresent());
    tasks.keep(turn.key(), "second");
    SandboxController api =
        new SandboxController(
            aws.turns(),
            aws.sandboxes(),
            new UsageReports(new PriceList(null)),
            aws.warnings(),
            tasks);
    assertEquals(
        Map.of(), api.release("Bearer " + token.text(), new RunnerMessages.Release(true, null)));
    assertEquals(TurnStatus.QUEUED, load().status());
    assertEquals(List.of(), calls.calls());
  }

  private RunnerCredential claimed() {
    tasks.keep(turn.key(), "first");
    RunnerCredential ticket = RunnerCredential.ticket(turn, 1);
    assertTrue(aws.dispatches().recordLaunch(turn, ticket.hash(), LIMIT));
    long fence = Turn.fence(1, 1);
    RunnerCredential token = ticket.token(turn, "claim", fence);
    Claims.Outcome _ = aws.claim(load(), ticket.hash(), "claim", fence, token.hash(), LIMIT);
    return token;
  }

  private static HeldTurns.Call call() {
    return new HeldTurns.Call(
        "call",
        "Run it",
        new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{}"),
        List.of(),
        "f".repeat(64),
        true);
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
