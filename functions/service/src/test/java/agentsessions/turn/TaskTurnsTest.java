package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.aws.StartedTasks;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.Engine;
import agentsessions.session.FollowUp;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.ecs.model.ClientException;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.Failure;
import software.amazon.awssdk.services.ecs.model.LimitExceededException;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;

/// Turns run in tasks of an engine, in new ones and in those that wait for their session's next
/// turn.
class TaskTurnsTest {
  private static final Duration IDLE = Duration.ofMinutes(5);

  private final SettableClock clock = new SettableClock();
  private final RecordedTaskCalls machine = new RecordedTaskCalls();
  private final StartedTasks ecs = new StartedTasks();
  private final InMemoryAws aws =
      InMemoryAws.of(new InMemoryTable(InMemoryAws.TABLE), new InMemoryBucket(), machine, clock);
  private final TurnSteps steps =
      aws.steps(Engine.FARGATE, new Launches().function(), ecs::runners, clock);
  private final Turn turn = aws.accepted();

  @Test
  void aTurnGetsATaskOfItsOwn() {
    run(turn, 1, "token");
    RunTaskRequest asked = ecs.asked().getFirst();
    assertEquals(turn.id() + "-1-0", asked.clientToken());
    Map<String, String> runner = StartedTasks.environment(asked, "runner");
    assertEquals("http://service/runner/v1", runner.get("URL"));
    assertEquals("0", runner.get("ATTEMPT"));
    assertEquals(turn.sessionId().toString(), runner.get("SESSION_ID"));
    assertEquals(
        Map.of("TASK_SECRET", String.valueOf(runner.get("TASK_SECRET"))),
        StartedTasks.environment(asked, "proxy"));
    assertInstanceOf(Claims.Outcome.Granted.class, claim(turn, ticket(), 1000));
    assertEquals(Optional.of("task/" + asked.clientToken()), aws.tasks().started(turn.key()));
    assertEquals(List.of(), machine.calls());
  }

  /// Before it is known whether one that is slow to start will come.
  @Test
  void aTaskHasThreeMinutesToStart() {
    run(turn, 1, "token");
    Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, load(turn).state());
    assertEquals(clock.instant().plusSeconds(180), queued.dueAt());
  }

  static List<Supplier<RunTaskResponse>> limits() {
    return List.of(
        () -> refused("RESOURCE:ENI"),
        () -> refused("Capacity is unavailable at this time."),
        () -> {
          throw LimitExceededException.builder().statusCode(400).build();
        },
        () -> {
          throw ClientException.builder().statusCode(400).message("limit on vCPUs").build();
        },
        () -> {
          throw EcsException.builder()
              .statusCode(400)
              .awsErrorDetails(AwsErrorDetails.builder().errorCode("ThrottlingException").build())
              .build();
        });
  }

  private static RunTaskResponse refused(String reason) {
    return RunTaskResponse.builder().failures(Failure.builder().reason(reason).build()).build();
  }

  @Test
  void aDefinitionThatIsInactiveEndsATurnAtOnce() {
    ecs.refusal()
        .set(() -> {
          throw ClientException.builder()
              .statusCode(400)
              .message("TaskDefinition is inactive")
              .build();
        });
    run(turn, 1, "token");
    assertFalse(load(turn).live());
  }

  /// Ten minutes of refusals, and no dispatch counts as a failed start.
  @ParameterizedTest
  @MethodSource("limits")
  void theAccountsLimitsMakeTurnsWait(Supplier<RunTaskResponse> refusal) {
    ecs.refusal().set(refusal);
    int number = 0;
    for (Duration passed = Duration.ZERO;
        passed.compareTo(Duration.ofMinutes(10)) < 0;
        passed = passed.plusSeconds(60)) {
      run(turn, ++number, "token");
      Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, load(turn).state());
      assertEquals(0, queued.unclaimedStarts());
      assertFalse(queued.dueAt().isAfter(clock.instant().plusSeconds(60)));
      clock.pass(Duration.ofMinutes(1));
      assertTrue(aws.dispatches().redispatch(load(turn), queued));
    }
    ecs.refusal().set(null);
    run(turn, ++number, "token");
    assertEquals(1, ecs.asked().size());
    assertInstanceOf(Claims.Outcome.Granted.class, claim(turn, ticket(), number * 1000L));
  }

  @Test
  void aTaskThatWaitsTakesTheNextTurn() {
    RunnerCredential waiting = served();
    Turn next = followUp();
    assertInstanceOf(Standby.Answer.Wait.class, aws.standby().ask(waiting));
    assertFalse(aws.standby().offer(followUp(), 0), "nobody asks, so it is taken back");
    assertInstanceOf(Standby.Answer.End.class, aws.standby().ask(waiting));
    assertEquals(1, ecs.asked().size());
    assertTrue(next.live());
  }

  @Test
  void whatIsOfferedIsTakenOnceAndAskedAgainItIsTheSame() {
    RunnerCredential waiting = served();
    Turn next = followUp();
    assertTrue(aws.standby().announce(next, 3));
    Standby.Next first = taken(waiting);
    assertTrue(aws.standby().awaitTaken(next));
    Standby.Next again = taken(waiting);
    assertEquals(first.ticket(), again.ticket());
    assertEquals(3, first.attempt());
    assertInstanceOf(Claims.Outcome.Granted.class, claim(next, first.ticket(), 1003));
    assertEquals(aws.tasks().started(turn.key()), aws.tasks().started(next.key()));
    assertInstanceOf(Standby.Answer.Wait.class, aws.standby().ask(waiting));
  }

  /// Else each question, one a second, would be a write.
  @Test
  void whatIsOfferedAndHasMovedOnIsNotTaken() {
    RunnerCredential waiting = served();
    Turn next = followUp();
    run(next, 1, "another");
    assertTrue(aws.standby().begin(load(turn), credential(turn, "token"), IDLE).isPresent());
    assertTrue(aws.standby().announce(next, 0));
    assertInstanceOf(Claims.Outcome.Granted.class, claim(next, ticket(), 1000));
    assertInstanceOf(Standby.Answer.Wait.class, aws.standby().ask(waiting));
    assertFalse(aws.standby().awaitTaken(next));
  }

  /// Whichever ticket is the later one.
  @Test
  void ofTwoThatCameToATicketOneRuns() {
    RunnerCredential waiting = served();
    Turn next = followUp();
    assertTrue(aws.standby().announce(next, 0));
    Standby.Next early = taken(waiting);
    run(next, 1, "another");
    String late = ticket();
    assertNotEquals(early.ticket(), late);
    assertTrue(aws.claims().state(credential(early.ticket())).isEmpty());
    assertInstanceOf(Claims.Outcome.Granted.class, claim(next, late, 1000));
  }

  @Test
  void aSessionsLastTaskAloneWaits() {
    RunnerCredential waiting = served();
    Turn next = followUp();
    run(next, 1, "next");
    assertInstanceOf(Claims.Outcome.Granted.class, claim(next, ticket(), 1000));
    RunnerCredential token = credential(next, "later");
    assertTrue(aws.standby().begin(load(next), token, IDLE).isPresent());
    assertInstanceOf(Standby.Answer.End.class, aws.standby().ask(waiting));
    assertTrue(aws.standby().begin(load(turn), waiting, IDLE).isEmpty());
  }

  @Test
  void nobodyWaitsForLongerThanItSaid() {
    RunnerCredential _ = served();
    clock.pass(Duration.ofSeconds(301));
    assertFalse(aws.standby().offer(followUp(), 0));
  }

  /// A turn that ran and ended in a task, which now waits.
  private RunnerCredential served() {
    run(turn, 1, "token");
    assertInstanceOf(Claims.Outcome.Granted.class, claim(turn, ticket(), 1000));
    RunnerCredential token = credential(turn, "token");
    RunnerCredential waiting =
        aws.standby().begin(load(turn), token, Duration.ofMinutes(10)).orElseThrow();
    Turn running = load(turn);
    assertTrue(
        aws.endings()
            .endAsSeen(
                running, Ending.failed(TurnStatus.FAILED, TurnError.runnerLost(), List.of())));
    aws.sandboxes().release(load(turn), true, Optional.empty());
    return waiting;
  }

  private Standby.Next taken(RunnerCredential waiting) {
    return assertInstanceOf(Standby.Answer.Run.class, aws.standby().ask(waiting)).next();
  }

  private void run(Turn one, int dispatch, String token) {
    steps.run(new TurnSteps.Dispatch(one.key(), dispatch), 0, token);
  }

  private String ticket() {
    return String.valueOf(StartedTasks.environment(ecs.asked().getLast(), "runner").get("TICKET"));
  }

  private Claims.Outcome claim(Turn one, String ticket, long fence) {
    return aws.claim(one, credential(ticket).hash(), "claim", fence, "hash", Duration.ofHours(1));
  }

  private static RunnerCredential credential(String ticket) {
    return RunnerCredential.parse("Bearer " + ticket).orElseThrow();
  }

  private static RunnerCredential credential(Turn of, String secret) {
    return new RunnerCredential(of.key(), secret);
  }

  private Turn load(Turn one) {
    return aws.turns().load(one.key()).orElseThrow();
  }

  private Turn followUp() {
    Acceptance accepted =
        aws.intake()
            .followUp(turn.key().sessionKey(), FollowUp.of("and then"), "http://service", null);
    return ((Acceptance.Accepted) accepted).turn();
  }
}
