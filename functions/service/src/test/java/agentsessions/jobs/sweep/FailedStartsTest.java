package agentsessions.jobs.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.aws.StartedTasks;
import agentsessions.session.Engine;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.store.session.Turns;
import agentsessions.testing.SettableClock;
import agentsessions.turn.TurnSteps;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ecs.model.Container;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.Task;

/// Turns whose tasks stop before a runner claims.
class FailedStartsTest {
  private static final Duration QUEUE = Duration.ofSeconds(InMemoryAws.QUEUE_SECONDS);

  private final SettableClock clock = new SettableClock();
  private final StartedTasks ecs = new StartedTasks();
  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new RecordedTaskCalls(),
          ecs::runners,
          clock);
  private final TurnSteps steps =
      aws.steps(Engine.FARGATE, new Launches().function(), ecs::runners, clock);
  private final OverdueTurns overdue = aws.overdue(clock);
  private final Turn turn = aws.accepted();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TaskFailedToStart | CannotPullContainerError: image not found: arn:aws:ecr:::image
          TaskFailedToStart | ResourceInitializationError: unable to pull secrets: AccessDenied
          EssentialContainerExited | Essential container in task exited
          """)
  void whatCanNeverStartIsGivenUpAfterAsManyStartsAsAnythingElse(String code, String reason) {
    for (int starts = 1; starts <= Turn.MAX_STARTS; starts++) {
      assertEquals(TurnStatus.QUEUED, load().status());
      launch();
      String _ = stopped(() -> ended(code, reason));
      sweep();
    }
    Turn.State.Ended end = load().ended().orElseThrow();
    assertEquals(TurnStatus.FAILED, end.status());
    assertEquals(TurnError.neverClaimed(Turn.MAX_STARTS), end.error());
    assertEquals(Turn.MAX_STARTS, ecs.asked().size());
    assertTrue(end.endedAt().isBefore(turn.firstStamp().instant().plus(QUEUE)));
  }

  static List<Supplier<Task>> waits() {
    return List.of(
        () -> ended("TaskFailedToStart", "Capacity is unavailable at this time. Please try again."),
        () -> ended("TaskFailedToStart", "Timeout waiting for network interface provisioning."),
        () -> ended("TaskFailedToStart", "CannotPullContainerError: toomanyrequests: pull rate"),
        () -> ended("TaskFailedToStart", "ResourceInitializationError: ThrottlingException: Rate"),
        () -> ended("TaskFailedToStart", "InternalError: try again"),
        () -> ended("SpotInterruption", "Your Spot Task was interrupted."),
        () -> ended("UserInitiated", "its turn has ended"),
        () -> Task.builder().lastStatus("PENDING").build(),
        () -> {
          throw SdkClientException.create("unheard");
        },
        () -> {
          throw EcsException.builder().statusCode(400).message("not allowed").build();
        });
  }

  @ParameterizedTest
  @MethodSource("waits")
  void whatPassesIsWaitedForAsLongAsAnyTurnMayBe(Supplier<Task> description) {
    while (!aws.dispatches().queuedTooLong(turn)) {
      Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, load().state());
      assertEquals(0, queued.failedStarts());
      launch();
      String _ = stopped(description);
      sweep();
    }
    assertTrue(ecs.asked().size() > 10 * Turn.MAX_STARTS);
  }

  @Test
  void soIsATaskThatNobodyKnowsAnyMore() {
    launch();
    ecs.status().clear();
    sweep();
    assertEquals(0, assertInstanceOf(Turn.State.Queued.class, load().state()).unclaimedStarts());
  }

  /// It does not end with the machine on which the service runs.
  @Test
  void aTaskMayClaimAfterAllRunnersOfTheMachineHaveEnded() {
    launch();
    overdue.recover(new Turns.Due.OfTurn(turn.key()), clock.instant().plus(QUEUE));
    assertEquals(1, load().dispatch());
  }

  /// The execution of the dispatch after it may be late.
  @Test
  void aTaskThatFailedCountsOnce() {
    launch();
    String _ = stopped(() -> ended("TaskFailedToStart", "CannotPullContainerError: none"));
    sweep();
    sweep();
    Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, load().state());
    assertEquals(1, queued.unclaimedStarts());
    assertEquals(3, load().dispatch());
  }

  @Test
  void theReasonIsShortAndNamesTheContainerThatEnded() {
    launch();
    Container runner =
        Container.builder()
            .name("runner")
            .exitCode(137)
            .reason("OutOfMemoryError: " + "x".repeat(900))
            .build();
    String task =
        stopped(() ->
            ended("EssentialContainerExited", "Essential container in task exited").toBuilder()
                .containers(runner)
                .build());
    String reason = ecs.runners().failure(task).orElseThrow();
    assertEquals(500, reason.length());
    assertTrue(
        reason.startsWith(
            "Essential container in task exited; runner exited with 137; runner: OutOfMemoryError"));
    assertFalse(reason.contains(ticket()));
  }

  private static Task ended(String code, String reason) {
    return Task.builder().lastStatus("STOPPED").stopCode(code).stoppedReason(reason).build();
  }

  private void launch() {
    steps.run(new TurnSteps.Dispatch(turn.key(), load().dispatch()), 0, "token");
  }

  /// The task that was started last.
  private String stopped(Supplier<Task> description) {
    String task = "task/" + ecs.asked().getLast().clientToken();
    ecs.ends().put(task, description);
    assertEquals(Optional.of(task), aws.tasks().started(turn.key()));
    return task;
  }

  /// When the turn is due.
  private void sweep() {
    Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, load().state());
    clock.pass(Duration.between(clock.instant(), queued.dueAt()).plusSeconds(1));
    overdue.handle(new Turns.Due.OfTurn(turn.key()));
  }

  private String ticket() {
    return String.valueOf(StartedTasks.environment(ecs.asked().getLast(), "runner").get("TICKET"));
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
