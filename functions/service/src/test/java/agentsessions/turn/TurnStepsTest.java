package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.aws.RunnerLauncher;
import agentsessions.aws.StartedTasks;
import agentsessions.session.Acceptance;
import agentsessions.session.Engine;
import agentsessions.session.FollowUp;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.testing.SettableClock;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.Offers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/// The step of a task that waits for its token: it launches a runner, or it ends the task itself.
class TurnStepsTest {
  private final SettableClock clock = new SettableClock();
  private final RecordedTaskCalls machine = new RecordedTaskCalls();
  private final InMemoryAws aws =
      InMemoryAws.of(new InMemoryTable(InMemoryAws.TABLE), new InMemoryBucket(), machine, clock);
  private final Launches launches = new Launches();
  private final TurnSteps steps =
      aws.steps(Engine.LAMBDA, launches.function(), () -> new StartedTasks().runners(), clock);
  private final Turn turn = aws.accepted();
  private final TurnSteps.Dispatch dispatch = new TurnSteps.Dispatch(turn.key(), turn.dispatch());

  @Test
  void aLaunchLeavesTheTaskToTheRunner() {
    steps.run(dispatch, 2, "token");
    Map<String, Object> event = launches.events().getFirst();
    assertEquals("http://service/runner/v1", event.get("url"));
    assertEquals(2, event.get("attempt"));
    assertEquals(turn.sessionId().toString(), event.get("session_id"));
    assertEquals(List.of(), machine.calls());
    aws.tasks().succeed(turn.key());
    assertEquals(List.of("success token"), machine.calls());
  }

  /// A service on one machine is started again on another port.
  @Test
  void aRunnerIsSentToWhereTheServiceIsNow() {
    TurnSteps moved =
        aws.steps(
            new AgentCatalogue(List.of("shell"), null, List.of(), Offers.on(Engine.LAMBDA)),
            launches.function(),
            () -> new StartedTasks().runners(),
            new RunnerAddress("http://elsewhere"),
            clock);
    moved.run(dispatch, 0, "token");
    assertEquals("http://elsewhere/runner/v1", launches.events().getFirst().get("url"));
  }

  @Test
  void onlyTheNewestLaunchMayClaimAndByItsOwnAttempt() {
    steps.run(dispatch, 0, "first");
    steps.run(dispatch, 1, "second");
    RunnerCredential old = credential(launches.events().getFirst());
    assertTrue(old.isFor(0));
    assertFalse(old.isFor(1));
    assertTrue(aws.claims().state(old).isEmpty());
    RunnerCredential ticket = credential(launches.events().getLast());
    assertInstanceOf(
        Claims.Outcome.Granted.class,
        aws.claim(turn, ticket.hash(), "claim", 1001, "token", Duration.ofHours(1)));
  }

  @Test
  void aTurnThatWasClaimedIsNotLaunchedAgain() {
    steps.run(dispatch, 0, "first");
    claim();
    steps.run(dispatch, 1, "second");
    assertEquals(1, launches.events().size());
    assertEquals(List.of("success second"), machine.calls());
    assertEquals(TurnStatus.RUNNING, load().status());
  }

  @Test
  void whoeverLetsGoOfASandboxHasTheTurnThatWaitsForItTriedAgain() {
    steps.run(dispatch, 0, "first");
    claim();
    Turn next = followUp();
    steps.run(new TurnSteps.Dispatch(next.key(), 1), 0, "next");
    assertEquals(List.of(), machine.calls());
    aws.sandboxes().release(load(), true, Optional.empty());
    assertEquals(List.of("agentsessions.SandboxFree next"), machine.calls());
    assertEquals(1, launches.events().size());
    steps.run(new TurnSteps.Dispatch(next.key(), 1), 1, "again");
    assertEquals(2, launches.events().size());
  }

  @Test
  void theLeaseOfADeadRunnerHandsItsSandboxOnAsWell() {
    steps.run(dispatch, 0, "first");
    claim();
    Turn next = followUp();
    steps.run(new TurnSteps.Dispatch(next.key(), 1), 0, "next");
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    assertTrue(aws.sandboxes().reclaim(next.key().sessionKey()));
    assertEquals("agentsessions.SandboxFree next", machine.calls().getLast());
  }

  @Test
  void aTurnThatIsSupersededWhileItWaitsIsForgotten() {
    steps.run(dispatch, 0, "first");
    claim();
    steps.run(new TurnSteps.Dispatch(followUp().key(), 1), 0, "second");
    steps.run(new TurnSteps.Dispatch(followUp().key(), 1), 0, "third");
    assertEquals(List.of("success second"), machine.calls());
    aws.sandboxes().release(load(), true, Optional.empty());
    assertEquals("agentsessions.SandboxFree third", machine.calls().getLast());
  }

  @Test
  void aHolderThatMayBeDeadIsLookedAtAgainAndAgain() {
    steps.run(dispatch, 0, "first");
    claim();
    Turn next = followUp();
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS / 2 + 1));
    steps.run(new TurnSteps.Dispatch(next.key(), 1), 0, "next");
    assertEquals(List.of("agentsessions.SandboxBusy next"), machine.calls());
    assertEquals(1, launches.events().size());
  }

  /// Waits for as long as a turn may be queued: no launch that was refused counts as a start in
  /// vain.
  @Test
  void aLaunchThatIsRefusedWaitsAndDoesNotCount() {
    launches.refusal().set(TooManyRequestsException.builder().message("full").build());
    for (int number = 1; number <= 2 * Turn.MAX_STARTS; number++) {
      steps.run(new TurnSteps.Dispatch(turn.key(), number), 0, "token" + number);
      assertEquals("success token" + number, machine.calls().getLast());
      Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, load().state());
      assertEquals(0, queued.unclaimedStarts());
      assertTrue(queued.dueAt().isAfter(clock.instant()));
      assertFalse(queued.dueAt().isAfter(clock.instant().plusSeconds(60)));
      clock.pass(Duration.ofSeconds(60));
      assertTrue(aws.dispatches().redispatch(load(), queued));
    }
  }

  @Test
  void aSessionsLaunchesMeetNoOtherSessionsEnvironments() {
    RunnerLauncher.Launched _ =
        launches
            .function(true)
            .launch(
                new RunnerLauncher.Launch(turn.key(), "ticket", "http://service/runner/v1", 1, 0));
    assertEquals(List.of(turn.sessionId().toString()), launches.tenants());
  }

  /// A caller that only knows of the turn cannot have its runner started again.
  @Test
  void whatIsSaidOfALaunchIsBelievedByItsTicketAlone() {
    steps.run(dispatch, 0, "token");
    steps.launchFailed(new RunnerCredential(turn.key(), "1-1-0-guessed"), Optional.empty());
    assertEquals(List.of(), machine.calls());
    RunnerCredential ticket = credential(launches.events().getFirst());
    steps.launchFailed(ticket, Optional.of("java.io.IOException"));
    assertEquals(List.of("java.io.IOException token"), machine.calls());
    claim();
    steps.launchFailed(ticket, Optional.empty());
    assertEquals(1, machine.calls().size(), "it has come all the same");
  }

  private void claim() {
    RunnerCredential ticket = credential(launches.events().getLast());
    assertInstanceOf(
        Claims.Outcome.Granted.class,
        aws.claim(turn, ticket.hash(), "claim", 1000, "token", Duration.ofHours(1)));
  }

  private static RunnerCredential credential(Map<String, Object> event) {
    return RunnerCredential.parse("Bearer " + event.get("ticket")).orElseThrow();
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  private Turn followUp() {
    Acceptance accepted =
        aws.intake()
            .followUp(turn.key().sessionKey(), FollowUp.of("and then"), "http://service", null);
    return ((Acceptance.Accepted) accepted).turn();
  }
}
