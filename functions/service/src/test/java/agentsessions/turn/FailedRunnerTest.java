package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.Launches;
import agentsessions.aws.StartedTasks;
import agentsessions.session.Engine;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The end of an execution whose runner failed, while the turn's lease is alive.
class FailedRunnerTest {
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws = InMemoryAws.of(clock);
  private final TurnSteps steps =
      aws.steps(
          Engine.LAMBDA, new Launches().function(), () -> new StartedTasks().runners(), clock);
  private final Turn turn = aws.accepted();

  @ParameterizedTest
  @ValueSource(strings = {"Runner.Ended", "Service.Stopped"})
  void aTurnWhoseRunnerIsKnownToBeGoneEndsAtOnce(String error) {
    claim();
    steps.fail(dispatch(), error);
    assertEquals(TurnStatus.FAILED, load().status());
    assertEquals(
        "RUNNER_LOST", Objects.requireNonNull(load().ended().orElseThrow().error()).code());
  }

  /// Another try of the same execution may have claimed it.
  @ParameterizedTest
  @ValueSource(strings = {"Runtime.ExitError", "Lambda.Unknown", "States.Timeout"})
  void anyOtherIsLeftToItsLease(String error) {
    claim();
    steps.fail(dispatch(), error);
    assertEquals(TurnStatus.RUNNING, load().status());
  }

  @Test
  void aTurnThatWasNotClaimedIsStartedAgain() {
    steps.fail(dispatch(), "Runner.Ended");
    assertEquals(TurnStatus.QUEUED, load().status());
    assertTrue(load().live());
  }

  private void claim() {
    aws.dispatches().recordLaunch(turn, "ticket", Duration.ofSeconds(45));
    aws.claim(turn, "ticket", "claim", 1000, "token", Duration.ofHours(1));
    assertEquals(TurnStatus.RUNNING, load().status());
  }

  private TurnSteps.Dispatch dispatch() {
    return new TurnSteps.Dispatch(turn.key(), turn.dispatch());
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
