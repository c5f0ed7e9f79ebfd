package agentsessions.turn.budget;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.rule.Ceiling;
import agentsessions.rule.UsedTokens;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.NewSession;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.Usage;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The spending limits of a workspace are held against the cost of its turns, settled or not.
class SpendingCheckTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Workspace OTHER = new Workspace("other");

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);

  @Test
  void whatIsSettledAndWhatIsUnderWayIsSpent() {
    allow(null, 10L);
    end(claimed(create()), 4);
    Turn live = claimed(create());
    assertTrue(aws.claims().renew(live, Optional.of(used(5, 0))));
    accepted(create());
    assertTrue(aws.claims().renew(load(live), Optional.of(used(5, 1))));
    assertEquals(
        new Ceiling(Ceiling.Scope.DAY, Ceiling.Unit.MICRO_DOLLARS, 10, 10), refused(create()));
  }

  @Test
  void whatWasSettledCountsOnceAlsoWhileItsSandboxIsBeingSaved() {
    allow(null, 10L);
    Turn turn = claimed(create());
    assertTrue(aws.claims().renew(turn, Optional.of(used(6, 0))));
    end(load(turn), 6);
    Turn next = accepted(followUp(turn, null));
    assertEquals(TurnStatus.QUEUED, load(next).status());
    accepted(create());
  }

  @Test
  void aRefusalChangesNothing() {
    Turn running = claimed(create());
    allow(1L, null);
    end(claimed(create()), 1);
    int before = table.contents().hashCode();
    assertEquals(Ceiling.Scope.MONTH, refused(followUp(running, "key")).scope());
    assertEquals(Ceiling.Scope.MONTH, refused(create()).scope());
    assertEquals(before, table.contents().hashCode());
    assertEquals(TurnStatus.RUNNING, load(running).status());
  }

  @Test
  void whatWasAcceptedIsReplayedAfterwards() {
    Turn turn = claimed(create("key"));
    end(turn, 9);
    allow(1L, null);
    assertInstanceOf(Acceptance.Replayed.class, create("key"));
    assertInstanceOf(Acceptance.BudgetReached.class, create("another"));
  }

  @Test
  void aNewDayAndANewMonthBeginAtZero() {
    allow(10L, 5L);
    end(claimed(create()), 5);
    assertEquals(Ceiling.Scope.DAY, refused(create()).scope());
    clock.pass(Duration.ofDays(1));
    end(claimed(create()), 5);
    assertEquals(Ceiling.Scope.MONTH, refused(create()).scope());
    clock.pass(Duration.ofDays(30));
    accepted(create());
  }

  @Test
  void otherWorkspacesMayGoOn() {
    allow(null, 1L);
    end(claimed(create()), 1);
    refused(create());
    accepted(aws.intake().create(OTHER, NewSession.of("shell", "hi"), "http://service", null));
  }

  @Test
  void whoAllowsAnyAmountAgainIsBoundByNothing() {
    int before = table.contents().size();
    allow(1L, 1L);
    assertEquals(new SpendingLimits(1L, 1L), aws.spendingLimitStore().of(WORKSPACE));
    allow(null, null);
    assertEquals(SpendingLimits.ANY, aws.spendingLimitStore().of(WORKSPACE));
    assertEquals(before, table.contents().size());
  }

  private void allow(@Nullable Long perMonth, @Nullable Long perDay) {
    aws.spendingLimitStore().put(WORKSPACE, new SpendingLimits(perMonth, perDay));
  }

  private Acceptance create() {
    return create(null);
  }

  private Acceptance create(@Nullable String key) {
    return aws.intake()
        .create(WORKSPACE, NewSession.of("shell", "hi"), "http://service", idempotency(key));
  }

  private Acceptance followUp(Turn turn, @Nullable String key) {
    return aws.intake()
        .followUp(turn.key().sessionKey(), FollowUp.of("more"), "http://service", idempotency(key));
  }

  private static @Nullable Idempotency idempotency(@Nullable String key) {
    return key == null ? null : new Idempotency(key, "hash");
  }

  private static Ceiling refused(Acceptance acceptance) {
    return assertInstanceOf(Acceptance.BudgetReached.class, acceptance).ceiling();
  }

  private Turn claimed(Acceptance acceptance) {
    return aws.claimed(accepted(acceptance));
  }

  private void end(Turn turn, long cost) {
    Ending ending = Ending.completed("done", List.of()).using(used(cost, 0));
    assertTrue(aws.endings().end(turn, ending, Plans.NONE));
  }

  private static Usage used(long cost, long guessed) {
    Usage.OfModel model = new Usage.OfModel("model", 1, new UsedTokens(cost, 0, 0, 0, 0), cost);
    return new Usage(1, List.of(model), 0, true, new Usage.Guess(0, guessed));
  }

  private Turn load(Turn turn) {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
