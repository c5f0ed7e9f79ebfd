package agentsessions.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.rule.Ceiling;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.Usage;
import agentsessions.testing.SettableClock;
import agentsessions.turn.HeldTurns;
import agentsessions.turn.Parking;
import agentsessions.turn.budget.TurnBudget;
import agentsessions.turn.intake.Decisions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A turn that was parked has used something before it is claimed again.
class WorkAnswersTest {
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Usage UNSTATED = new Usage(2, List.of(), 0, false, Usage.Guess.NONE);
  private static final TurnBudget SPENT =
      new TurnBudget(
          List.of(new Ceiling(Ceiling.Scope.SESSION, Ceiling.Unit.TOKENS, 1, 1)), Optional.empty());

  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new RecordedTaskCalls(),
          new SettableClock());

  /// Part of it may be unknown, and then remains so.
  @Test
  void whatItHadUsedIsKeptWhereNothingIsLeftForIt() {
    Turn turn = goesOn();
    assertThrows(
        Refusal.class, () -> aws.workAnswers().refuseSpent(turn, SPENT, SpendingLimits.ANY));
    Turn ended = load(turn);
    assertEquals(TurnStatus.FAILED, ended.status());
    assertTrue(ended.isSettled());
    assertEquals(2, ended.usage().requests());
    assertFalse(ended.usage().complete());
  }

  @Test
  void aClaimThatAwsDoesNotAllowEndsTheTurnAndKeepsWhatItHadUsed() {
    Turn turn = goesOn();
    Refusal refusal = aws.workAnswers().notAllowed(turn);
    assertEquals(Refusal.Code.NOT_LIVE, refusal.code());
    Turn ended = load(turn);
    assertEquals(TurnError.launchRefused(), ended.ended().orElseThrow().error());
    assertTrue(ended.isSettled());
    assertEquals(2, ended.usage().requests());
  }

  /// A turn that was parked and is decided upon, claimed by its second runner.
  private Turn goesOn() {
    Turn turn = aws.claimed();
    Request.Tool tool = new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{}");
    HeldTurns.Call call =
        new HeldTurns.Call("call", "Run it", tool, List.of(), "f".repeat(64), true);
    Request request = aws.heldTurns().ask(turn, call).orElseThrow();
    Parking.Wish wish = new Parking.Wish(request.id(), true, Optional.of(UNSTATED));
    assertEquals(Parking.Outcome.PARKED, aws.parking().park(load(turn), wish));
    Decisions.Wanted allowed =
        new Decisions.Wanted(Decision.Word.ALLOW, null, Map.of(), null, "decider");
    var _ = aws.decisions().decide(turn.key().sessionKey(), request.id(), allowed).orElseThrow();
    assertTrue(aws.dispatches().recordLaunch(load(turn), "ticket", LIMIT));
    aws.claim(load(turn), "ticket", "again", 2000, "token", LIMIT);
    return load(turn);
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
