package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.Launches;
import agentsessions.rule.Ceiling;
import agentsessions.session.Acceptance;
import agentsessions.session.DailyUsage;
import agentsessions.session.Ending;
import agentsessions.session.Engine;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSession;
import agentsessions.session.OnRunning;
import agentsessions.session.Plans;
import agentsessions.session.SandboxState;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.Usage;
import agentsessions.store.session.Turns;
import agentsessions.table.Shards;
import agentsessions.testing.SettableClock;
import agentsessions.turn.intake.Decisions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import software.amazon.awssdk.services.sfn.model.StopExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StopExecutionResponse;

/// A turn waits for a decision without a runner.
class ParkingTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Duration SESSION = Duration.ofHours(3);
  private static final Duration AWHILE = Duration.ofSeconds(7);
  private static final Duration LONG = Duration.ofDays(2);
  private static final Duration EXPIRY = Duration.ofDays(3);
  private static final Usage USED = used(2);
  private static final LocalDate FIRST = LocalDate.of(2000, 1, 1);
  private static final LocalDate LAST = LocalDate.of(2100, 1, 1);
  private static final String URL = "http://service";

  private final SettableClock clock = new SettableClock();
  private final ContendedTable busy = new ContendedTable(new InMemoryTable(InMemoryAws.TABLE));
  private final Starts starts = new Starts();
  private final InMemoryAws aws =
      InMemoryAws.of(
          busy, new InMemoryBucket(), starts, InMemoryAws.tasks(busy, starts), "machine", clock);
  private final Turn turn = claimed(created());
  private final SessionKey session = turn.key().sessionKey();

  @Test
  void aParkedTurnWaitsForDaysWithoutARunner() {
    Request request = ask("call");
    assertEquals(clock.instant().plus(EXPIRY), request.expiresAt());
    assertEquals(Parking.Outcome.PARKED, park(request));
    Turn parked = load();
    assertEquals(TurnStatus.PARKED, parked.status());
    assertTrue(parked.live());
    assertEquals(Optional.of(request.id()), parked.held().map(Turn.Held::request));
    assertEquals(2, parked.account().usage().requests());
    clock.pass(LONG);
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn.key()));
    assertEquals(parked, load());
    assertEquals(AWHILE.toMillis(), load().activeMillis(clock.instant()));
    assertEquals(Optional.of(request.id()), session().request());
    assertTrue(session().working());
    assertTrue(session().account().spent().requests() == 0);
    assertEquals(List.of(request), pending());
    assertFalse(aws.claims().renew(turn, Optional.empty()));
    assertFalse(aws.endings().end(load(), Ending.completed("late", List.of()), Plans.NONE));
  }

  /// So that its wait costs nothing but what is stored.
  @Test
  void noSweepMeetsAParkedTurnBeforeItsRequestExpires() {
    Request _ = parked();
    clock.pass(EXPIRY.minus(AWHILE));
    assertEquals(List.of(), due());
    clock.pass(AWHILE.multipliedBy(2));
    assertEquals(List.of(new Turns.Due.OfTurn(turn.key())), due());
  }

  /// A hundred people who think about it for a week would otherwise stop their workspace.
  @Test
  void aParkedTurnTakesNoPlaceOfALiveOne() {
    Request request = parked();
    for (int turns = 0; turns < InMemoryAws.MOST_LIVE_TURNS; turns++) {
      Turn _ = created();
    }
    Acceptance.TooManyTurns full = new Acceptance.TooManyTurns(InMemoryAws.MOST_LIVE_TURNS);
    assertEquals(full, aws.intake().create(WORKSPACE, NewSession.of("shell", "hi"), URL, null));
    decide(request, Decision.Word.ALLOW);
    assertEquals(TurnStatus.QUEUED, load().status());
  }

  private List<Turns.Due> due() {
    return Shards.live().stream().flatMap(shard -> aws.turns().due(shard, 100).stream()).toList();
  }

  @Test
  void theSameAgainChangesNothing() {
    Request request = ask("call");
    assertEquals(Parking.Outcome.PARKED, park(request));
    Turn parked = load();
    clock.pass(AWHILE);
    assertEquals(Parking.Outcome.PARKED, park(request));
    assertEquals(parked, load());
    decide(request, Decision.Word.ALLOW);
    Turn queued = load();
    assertEquals(Parking.Outcome.PARKED, park(request));
    assertEquals(queued, load());
  }

  /// Its answer is lost, and the call is under way twice.
  @Test
  void ofTwoThatAreUnderWayAtOnceOneParks() {
    Request request = ask("call");
    busy.beforeWrite(1, () -> park(request));
    assertEquals(Parking.Outcome.PARKED, park(request));
    assertEquals(TurnStatus.PARKED, load().status());
  }

  @ParameterizedTest
  @EnumSource
  void aDecisionQueuesTheTurnOnceForAnotherRunner(Decision.Word word) {
    Request request = ask("call");
    assertEquals(Parking.Outcome.PARKED, park(request));
    clock.pass(LONG);
    Request decided = decide(request, word);
    assertEquals(word, Objects.requireNonNull(decided.decision()).word());
    Turn queued = load();
    assertEquals(TurnStatus.QUEUED, queued.status());
    assertEquals(2, queued.dispatch());
    assertEquals(Optional.empty(), queued.held());
    assertEquals(Optional.empty(), session().request());
    assertEquals(List.of(), pending());
    assertEquals(decided, decide(request, word));
    assertEquals(queued, load());
    assertEquals(List.of(turn.id() + "-2"), starts.names);
  }

  @Test
  void aDecisionThatComesWhileTheRunnerLeavesIsNotLost() {
    Request request = ask("call");
    decide(request, Decision.Word.ALLOW);
    assertEquals(List.of(), starts.names);
    clock.pass(AWHILE);
    assertEquals(Parking.Outcome.PARKED, park(request));
    assertEquals(TurnStatus.QUEUED, load().status());
    assertEquals(Parking.Outcome.PARKED, park(request));
    assertEquals(List.of(turn.id() + "-2"), starts.names);
    claimed(load(), 2000);
    assertEquals(Optional.of(request.id()), load().parked());
  }

  @Test
  void aDecisionBetweenReadAndWriteIsNotLost() {
    Request request = ask("call");
    busy.beforeWrite(1, () -> decide(request, Decision.Word.DENY));
    assertEquals(Parking.Outcome.PARKED, park(request));
    assertEquals(TurnStatus.QUEUED, load().status());
    assertEquals(List.of(turn.id() + "-2"), starts.names);
  }

  @Test
  void aRunnerThatParksWhileItsTurnEndsIsToldSo() {
    Request request = ask("call");
    busy.beforeWrite(1, () -> cancel());
    assertEquals(Parking.Outcome.NOT_LIVE, park(request));
    assertEquals(TurnStatus.CANCELLED, load().status());
    assertEquals(Request.Status.CLOSED, request(request).status());
  }

  @Test
  void aTurnIsParkedOnlyForWhatItCanBeParkedFor() {
    Request request = aws.heldTurns().ask(load(), call("call", false)).orElseThrow();
    assertEquals(Parking.Outcome.REFUSED, park(request));
    aws.heldTurns().expire(load(), request.id());
    Request late = ask("late");
    clock.pass(EXPIRY);
    assertEquals(Parking.Outcome.REFUSED, park(late));
    assertEquals(TurnStatus.RUNNING, load().status());
  }

  @Test
  void aTurnWhoseSandboxIsNotSavedStaysItsRunners() {
    InMemoryAws travelling = InMemoryAws.of(busy, new InMemoryBucket(), starts, clock);
    Request request = ask("call");
    Parking.Wish changed = new Parking.Wish(request.id(), false, Optional.of(USED));
    assertEquals(Parking.Outcome.REFUSED, travelling.parking().park(load(), changed));
    assertEquals(TurnStatus.RUNNING, load().status());
    Parking.Wish untouched = new Parking.Wish(request.id(), true, Optional.of(USED));
    assertEquals(Parking.Outcome.PARKED, travelling.parking().park(load(), untouched));
  }

  @Test
  void aStartThatIsLostIsFoundByTheSweep() {
    Request request = parked();
    clock.pass(LONG);
    decide(request, Decision.Word.ALLOW);
    clock.pass(Duration.ofSeconds(InMemoryAws.START_GRACE_SECONDS));
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn.key()));
    assertEquals(3, load().dispatch());
    assertEquals(List.of(turn.id() + "-2", turn.id() + "-3"), starts.names);
  }

  @Test
  void whatNobodyDecidesOnExpiresAndNothingRuns() {
    Request request = parked();
    clock.pass(EXPIRY);
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn.key()));
    Turn.State.Ended end = load().ended().orElseThrow();
    assertEquals(TurnStatus.FAILED, end.status());
    assertEquals(TurnError.requestExpired(), end.error());
    assertEquals(Request.Status.EXPIRED, request(request).status());
    assertEquals(List.of(), pending());
    assertEquals(Optional.empty(), session().request());
    settledOnce();
  }

  /// How a client ends a turn.
  enum EndOfTurn {
    CANCEL,
    DELETE,
    FOLLOW_UP
  }

  private void end(EndOfTurn by) {
    switch (by) {
      case CANCEL -> cancel();
      case DELETE -> assertTrue(aws.endings().delete(session));
      case FOLLOW_UP -> assertTrue(followUp(OnRunning.INTERRUPT).live());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyEndWhileItIsParkedSettlesItOnce(EndOfTurn by) {
    Request request = parked();
    clock.pass(LONG);
    end(by);
    assertFalse(load().live());
    assertEquals(Request.Status.CLOSED, request(request).status());
    settledOnce();
  }

  @ParameterizedTest
  @EnumSource
  void everyEndWhileItIsQueuedAgainSettlesItOnce(EndOfTurn by) {
    Request request = parked();
    decide(request, Decision.Word.ALLOW);
    clock.pass(AWHILE);
    end(by);
    assertFalse(load().live());
    settledOnce();
  }

  /// Its runner has it then, and settles it with its release.
  @ParameterizedTest
  @EnumSource
  void anEndIsNotSettledTwiceWhereARunnerClaimsItMeanwhile(EndOfTurn by) {
    Request request = parked();
    decide(request, Decision.Word.ALLOW);
    aws.dispatches().recordLaunch(load(), "ticket", AWHILE);
    Turn queued = load();
    busy.beforeWrite(1, () -> aws.claim(queued, "ticket", "again", 2000, "token", LIMIT));
    end(by);
    assertFalse(load().live());
    assertFalse(load().isSettled());
    aws.sandboxes().release(load(), true, Optional.empty());
    settledOnce();
  }

  /// It was read while its runner had it, and none has it any more.
  @ParameterizedTest
  @EnumSource
  void anEndIsSettledWhereItIsParkedMeanwhile(EndOfTurn by) {
    Request request = ask("call");
    busy.beforeWrite(
        1,
        () -> {
          park(request);
          decide(request, Decision.Word.ALLOW);
        });
    end(by);
    assertFalse(load().live());
    settledOnce();
  }

  /// The same of a turn that was parked before.
  @ParameterizedTest
  @EnumSource
  void anEndIsSettledWhereItIsParkedAgainMeanwhile(EndOfTurn by) {
    Request first = parked();
    decide(first, Decision.Word.ALLOW);
    claimed(load(), 2000);
    Request second = ask("another");
    busy.beforeWrite(
        1,
        () -> {
          decide(second, Decision.Word.ALLOW);
          park(second);
        });
    end(by);
    assertFalse(load().live());
    settledOnce();
  }

  @Test
  void aFollowUpThatWaitsBeginsAfterIt() {
    Request request = parked();
    Turn waiting = followUp(OnRunning.QUEUE);
    aws.queue().next(session);
    assertTrue(load(waiting).waits());
    decide(request, Decision.Word.ALLOW);
    claimed(load(), 2000);
    assertTrue(load(waiting).waits());
    assertTrue(aws.endings().end(load(), Ending.completed("done", List.of()), Plans.NONE));
    assertFalse(load(waiting).waits());
  }

  /// So that limits of spending hold, and a session's figures never shrink.
  @Test
  void itsUsageCountsHoweverOftenItIsParked() {
    Request first = parked();
    counts(2);
    clock.pass(LONG);
    decide(first, Decision.Word.ALLOW);
    counts(2);
    claimed(load(), 2000);
    counts(2);
    assertTrue(aws.claims().renew(load(), Optional.of(used(3))));
    counts(3);
    Request second = ask("another");
    decide(second, Decision.Word.ALLOW);
    assertEquals(Parking.Outcome.PARKED, park(second, used(4)));
    counts(4);
    claimed(load(), 3000);
    counts(4);
    Ending done = Ending.completed("done", List.of()).using(used(5));
    assertTrue(aws.endings().end(load(), done, Plans.NONE));
    assertEquals(List.of(), open());
    assertEquals(5, spent());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DELETE")
  void itsUsageCountsOnceWhereItEndsWithoutARunner(EndOfTurn by) {
    Request _ = parked();
    end(by);
    assertEquals(List.of(), open());
    assertEquals(2, spent());
    Turn next = claimed(followUp(OnRunning.INTERRUPT));
    assertEquals(List.of(0L), open());
    assertTrue(aws.claims().renew(next, Optional.of(used(7))));
    assertEquals(List.of(7L), open());
    assertEquals(9, spent());
  }

  @Test
  void whatADeletedTurnHadUsedCountsInTheSumsOnly() {
    Request _ = parked();
    end(EndOfTurn.DELETE);
    assertEquals(List.of(), open());
    settledOnce();
  }

  private void counts(long requests) {
    assertEquals(List.of(requests), open());
    assertEquals(requests, spent());
  }

  /// What is in no sum.
  private List<Long> open() {
    return aws.sessions().open(WORKSPACE).stream().map(Usage::requests).toList();
  }

  /// As whoever reads the session is told.
  private long spent() {
    return aws.sessions().loadWithPlans(session).orElseThrow().spent().requests();
  }

  private static Usage used(int requests) {
    return new Usage(requests, List.of(), 0, true, Usage.Guess.NONE);
  }

  @Test
  void itGoesOnWithTheTimeAndTheUsageThatItHas() {
    Request request = parked();
    clock.pass(LONG);
    decide(request, Decision.Word.ALLOW);
    clock.pass(AWHILE);
    Instant started = load().claimed().orElseThrow().startedAt();
    claimed(load(), 2000);
    Turn again = load();
    assertEquals(TurnStatus.RUNNING, again.status());
    assertEquals(started, again.claimed().orElseThrow().startedAt());
    assertEquals(Optional.of(request.id()), again.parked());
    assertEquals(
        clock.instant().plus(LIMIT).minus(AWHILE), again.claimed().orElseThrow().deadline());
    assertEquals(AWHILE.toMillis(), again.activeMillis(clock.instant()));
    clock.pass(AWHILE);
    assertEquals(2 * AWHILE.toMillis(), again.activeMillis(clock.instant()));
    assertEquals(2, again.account().usage().requests());
    assertTrue(aws.endings().end(again, Ending.completed("done", List.of()), Plans.NONE));
    assertEquals(2 * AWHILE.toMillis(), load().usage().millis());
  }

  /// Its runner counts the other units from the usage that it goes on with.
  @Test
  void theTimeBeforeCountsForTheCeilingOfItsSession() {
    Request request = parked();
    clock.pass(LONG);
    decide(request, Decision.Word.ALLOW);
    assertTrue(aws.dispatches().recordLaunch(load(), "ticket", AWHILE));
    ClaimState state =
        new ClaimState(
            load(), Optional.empty(), Optional.empty(), Optional.of(session()), SpendingLimits.ANY);
    Claims.Outcome.Granted again =
        assertInstanceOf(
            Claims.Outcome.Granted.class,
            aws.claims().claim(state, new Claims.Request("ticket", "claim", 2000, "token", LIMIT)));
    assertEquals(
        List.of(
            new Ceiling(
                Ceiling.Scope.SESSION,
                Ceiling.Unit.MILLISECONDS,
                SESSION.toMillis(),
                AWHILE.toMillis())),
        again.budget().ceilings());
  }

  @Test
  void theNextRunnerIsToldOfTheDecision() {
    Request request = parked();
    decide(request, Decision.Word.DENY);
    claimed(load(), 2000);
    TurnInputs.Loaded.Ready ready =
        assertInstanceOf(TurnInputs.Loaded.Ready.class, aws.inputs().of(load()));
    assertEquals(new TurnInputs.DecidedCall("call", request(request)), ready.parked());
  }

  @Test
  void itIsParkedASecondTime() {
    Request first = parked();
    decide(first, Decision.Word.ALLOW);
    claimed(load(), 2000);
    assertEquals(Parking.Outcome.REFUSED, park(first), "it goes on from there");
    clock.pass(AWHILE);
    Request second = ask("another");
    assertEquals(Parking.Outcome.PARKED, park(second));
    clock.pass(LONG);
    assertEquals(Optional.of(second.id()), load().parked());
    assertEquals(3 * AWHILE.toMillis(), load().activeMillis(clock.instant()));
    decide(second, Decision.Word.ALLOW);
    assertEquals(3, load().dispatch());
    claimed(load(), 3000);
    assertEquals(TurnStatus.RUNNING, load().status());
  }

  /// Its message may be weeks old then.
  @Test
  void theTimeInTheQueueCountsFromTheDecision() {
    Request request = parked();
    clock.pass(LONG);
    decide(request, Decision.Word.ALLOW);
    assertFalse(aws.dispatches().queuedTooLong(load()));
    clock.pass(Duration.ofSeconds(InMemoryAws.QUEUE_SECONDS + 1));
    assertTrue(aws.dispatches().queuedTooLong(load()));
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn.key()));
    assertEquals(TurnError.notStarted(), load().ended().orElseThrow().error());
    settledOnce();
  }

  @Test
  void whatItsRunnerChangedIsSaved() {
    Request _ = parked();
    cancel();
    assertEquals(SandboxState.SAVED, load().ended().orElseThrow().sandbox());
    Turn next = claimed(followUp(OnRunning.INTERRUPT));
    assertEquals(TurnStatus.RUNNING, next.status());
  }

  /// The answer to the end of its execution is lost, which then believes that its runner failed.
  @Test
  void anExecutionThatComesLateTouchesNothing() {
    Request _ = parked();
    Turn parked = load();
    clock.pass(LONG);
    TurnSteps steps =
        aws.steps(
            Engine.LAMBDA,
            new Launches().function(),
            () -> {
              throw new AssertionError("there are no tasks");
            },
            clock);
    steps.fail(new TurnSteps.Dispatch(turn.key(), 1), "States.Timeout");
    assertEquals(parked, load());
  }

  private void settledOnce() {
    Turn ended = load();
    assertTrue(ended.isSettled());
    assertEquals(2, ended.usage().requests());
    List<DailyUsage> days = aws.ledger().list(WORKSPACE, FIRST, LAST, 100);
    assertEquals(1, days.stream().mapToLong(DailyUsage::turns).sum());
    assertEquals(2, days.stream().mapToLong(day -> day.spent().requests()).sum());
    aws.sandboxes().release(ended, true, Optional.of(USED));
    assertEquals(ended, load());
  }

  private void cancel() {
    assertTrue(aws.endings().cancel(session, Endings.Cancellation.ALL).isPresent());
  }

  private Request ask(String call) {
    clock.pass(AWHILE);
    return aws.heldTurns().ask(load(), call(call, true)).orElseThrow();
  }

  private Parking.Outcome park(Request request) {
    return park(request, USED);
  }

  private Parking.Outcome park(Request request, Usage used) {
    Parking.Wish wish = new Parking.Wish(request.id(), true, Optional.of(used));
    return aws.parking().park(load(), wish);
  }

  private Request decide(Request request, Decision.Word word) {
    Decisions.Wanted wanted = new Decisions.Wanted(word, null, Map.of(), null, "decider");
    return aws.decisions().decide(session, request.id(), wanted).orElseThrow();
  }

  private Request request(Request request) {
    return aws.requests().load(session, request.id()).orElseThrow();
  }

  private List<Request> pending() {
    return aws.requests().ofWorkspace(WORKSPACE, true, null, 100).requests();
  }

  private static HeldTurns.Call call(String name, boolean parkable) {
    return new HeldTurns.Call(
        name,
        "Run it",
        new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{}"),
        List.of(),
        "f".repeat(64),
        parkable);
  }

  private Turn created() {
    ToolPermissions permissions =
        new ToolPermissions(
            ToolPermissions.Policy.ASK,
            List.of(),
            new ToolPermissions.Asking(false, 0, false, false, (int) EXPIRY.toDays()));
    NewSession newSession =
        new NewSession(
            "shell",
            "hi",
            null,
            Map.of(),
            SessionInputs.NONE,
            null,
            new Ceilings.OfSession(
                Ceilings.NONE, new Ceilings(null, null, null, SESSION.toSeconds())),
            permissions,
            "key");
    return accepted(aws.intake().create(WORKSPACE, newSession, URL, null));
  }

  private Turn followUp(OnRunning how) {
    FollowUp more =
        new FollowUp("more", null, how, null, List.of(), Map.of(), Ceilings.NONE, "key");
    return accepted(aws.intake().followUp(session, more, URL, null));
  }

  private static Turn accepted(Acceptance acceptance) {
    return assertInstanceOf(Acceptance.Accepted.class, acceptance).turn();
  }

  private Turn claimed(Turn queued) {
    return claimed(queued, 1000);
  }

  private Turn claimed(Turn queued, long fence) {
    assertTrue(aws.dispatches().recordLaunch(queued, "ticket", AWHILE));
    assertInstanceOf(
        Claims.Outcome.Granted.class,
        aws.claim(load(queued), "ticket", "claim " + fence, fence, "token", LIMIT));
    return load(queued);
  }

  /// The request for which the turn is parked.
  private Request parked() {
    Request request = ask("call");
    park(request);
    return request;
  }

  private Session session() {
    return aws.sessions().load(session).orElseThrow();
  }

  private Turn load() {
    return load(turn);
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }

  /// Notes which executions are started.
  private static final class Starts implements SfnClient, AwsStandIn {
    private final List<String> names = new ArrayList<>();

    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      names.add(request.name());
      return StartExecutionResponse.builder().build();
    }

    @Override
    public StopExecutionResponse stopExecution(StopExecutionRequest request) {
      return StopExecutionResponse.builder().build();
    }
  }
}
