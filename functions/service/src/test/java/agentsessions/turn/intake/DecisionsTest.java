package agentsessions.turn.intake;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.aws.NoMachine;
import agentsessions.rule.Question;
import agentsessions.session.Ending;
import agentsessions.session.ExportId;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSessions;
import agentsessions.session.OnRunning;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.request.SessionGrant;
import agentsessions.session.usage.Ceilings;
import agentsessions.store.request.RequestWrites;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Turns;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Claims;
import agentsessions.turn.Endings;
import agentsessions.turn.HeldTurns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A person decides on a call of a tool, while its turn is held.
class DecisionsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Duration LIMIT = Duration.ofHours(1);
  private static final Duration HOLD = Duration.ofSeconds(60);
  private static final Duration AWHILE = Duration.ofSeconds(7);
  private static final String URL = "http://service";

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final ContendedTable busy = new ContendedTable(table);
  private final InMemoryAws aws =
      InMemoryAws.of(busy, new InMemoryBucket(), new NoMachine(), clock);
  private final Turn turn = aws.claimed(created(false));
  private final SessionKey session = turn.key().sessionKey();

  @Test
  void aTurnIsHeldUntilSomeoneDecides() {
    Instant deadline = deadline();
    Request request = ask("call");
    assertEquals(Request.Status.PENDING, request.status());
    assertEquals(clock.instant().plus(HOLD), request.expiresAt());
    assertEquals(Optional.of(request.id()), load().held().map(Turn.Held::request));
    assertEquals(Optional.of(request.id()), aws.sessions().load(session).orElseThrow().request());
    assertEquals(List.of(request), listed(true));
    clock.pass(AWHILE);
    Request decided = decide(request, Decision.Word.DENY, "not that").orElseThrow();
    assertEquals(
        new Decision(Decision.Word.DENY, "not that", Map.of(), "decider", clock.instant()),
        decided.decision());
    assertEquals(Optional.of(decided), aws.requests().find(session, request.id()));
    goesOn();
    assertEquals(deadline.plus(AWHILE), deadline());
    assertEquals(0, load().activeMillis(clock.instant()));
    assertEquals(List.of(), listed(true));
    assertEquals(List.of(decided), listed(false));
    assertEquals(List.of(decided), aws.requests().ofSession(session));
  }

  /// So that an export of before is not taken for one of now.
  @Test
  void aRequestAndItsDecisionChangeTheSession() {
    ExportId before = export();
    Request request = ask("call");
    ExportId asked = export();
    assertNotEquals(before, asked);
    clock.pass(AWHILE);
    assertTrue(decide(request, Decision.Word.DENY, null).isPresent());
    assertNotEquals(asked, export());
  }

  private ExportId export() {
    return ExportId.of(aws.sessions().load(session).orElseThrow());
  }

  @Test
  void aQuestionIsAnsweredOnceAndWhole() {
    Question.Option blue = new Question.Option("Blue", "Blue", "");
    Question colour = new Question("1", "Which colour?", List.of(blue), false, false);
    Question reasons = new Question("2", "Why?", List.of(blue), true, true);
    Request request = ask(List.of(colour, reasons));
    assertEquals(Request.Kind.QUESTION, request.kind());
    assertEquals(Optional.of(request), aws.requests().find(session, request.id()));
    List<String> text = List.of("Blue", "so");
    Map<String, List<String>> whole = Map.of("1", List.of("Blue"), "2", text);
    for (Map<String, List<String>> other :
        List.<Map<String, List<String>>>of(
            Map.of(),
            Map.of("1", List.of("Blue")),
            Map.of("1", List.of("Red"), "2", text),
            Map.of("1", List.of("Blue", "Blue"), "2", text),
            Map.of("1", List.of("Blue"), "2", List.of(" ")),
            Map.of("1", List.of("Blue"), "2", text, "3", text))) {
      assertEquals(
          Refusal.Code.VALIDATION, refused(() -> answer(request, Decision.Word.ALLOW, other)));
    }
    assertEquals(
        Refusal.Code.VALIDATION, refused(() -> answer(request, Decision.Word.DENY, whole)));
    assertEquals(
        Refusal.Code.VALIDATION,
        refused(() -> answer(request, Decision.Word.ALLOW_SESSION, whole)));
    Request decided = answer(request, Decision.Word.ALLOW, whole).orElseThrow();
    assertEquals(whole, decision(decided).answers());
    assertEquals(Optional.of(decided), aws.requests().find(session, request.id()));
    assertEquals(decided, answer(request, Decision.Word.ALLOW, whole).orElseThrow());
    Map<String, List<String>> other = Map.of("1", List.of("Blue"), "2", List.of("so"));
    assertEquals(
        Refusal.Code.ALREADY_DECIDED, refused(() -> answer(request, Decision.Word.ALLOW, other)));
  }

  @Test
  void whatAsksNothingHasNoAnswers() {
    Request request = ask("call");
    assertEquals(
        Refusal.Code.VALIDATION,
        refused(() -> answer(request, Decision.Word.ALLOW, Map.of("1", List.of("Blue")))));
  }

  @Test
  void theSameCallIsTheSameRequest() {
    Request request = ask("call");
    clock.pass(AWHILE);
    assertEquals(request, ask("call"));
    Request decided = decide(request, Decision.Word.ALLOW, null).orElseThrow();
    assertEquals(decided, ask("call"));
    assertEquals(1, aws.requests().ofSession(session).size());
  }

  /// What was decided holds for the call that people have seen.
  @Test
  void anotherCallOfTheSameNameGetsNoDecision() {
    Request request = ask("call");
    HeldTurns.Call forged =
        new HeldTurns.Call(
            "call",
            "Run it",
            new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{\"rm\":true}"),
            List.of(),
            "0".repeat(64),
            false);
    assertEquals(Refusal.Code.VALIDATION, refused(() -> aws.heldTurns().ask(load(turn), forged)));
    assertTrue(decide(request, Decision.Word.ALLOW, null).isPresent());
    assertEquals(Refusal.Code.VALIDATION, refused(() -> aws.heldTurns().ask(load(turn), forged)));
  }

  /// Its request would be that of the plan or the pushes with which the turn ends.
  @ParameterizedTest
  @ValueSource(strings = {RequestId.PLAN, RequestId.PUSH})
  void noCallIsNamedAsWhatATurnAsksAtItsEnd(String name) {
    assertEquals(Refusal.Code.VALIDATION, refused(() -> ask(name)));
    assertEquals(List.of(), aws.requests().ofSession(session));
    assertEquals(Optional.empty(), load().held());
  }

  /// Its answer was lost, or it is under way twice.
  @Test
  void aCallThatIsAskedAboutAtTheSameTimeIsTheSameRequest() {
    busy.beforeWrite(1, () -> ask("call"));
    Request asked = ask("call");
    assertEquals(List.of(asked), aws.requests().ofSession(session));
  }

  @Test
  void aSecondCallWaitsForTheFirst() {
    Request _ = ask("call");
    assertEquals(Refusal.Code.VALIDATION, refused(() -> ask("other")));
  }

  @Test
  void theSameDecisionAgainChangesNothing() {
    Request request = ask("call");
    Optional<Request> decided = decide(request, Decision.Word.ALLOW, "yes");
    clock.pass(AWHILE);
    assertEquals(decided, decide(request, Decision.Word.ALLOW, "yes"));
    assertEquals(
        Refusal.Code.ALREADY_DECIDED, refused(() -> decide(request, Decision.Word.DENY, null)));
    assertEquals(
        Refusal.Code.ALREADY_DECIDED, refused(() -> decide(request, Decision.Word.ALLOW, "no")));
    assertEquals(decided, aws.requests().find(session, request.id()));
  }

  @Test
  void ofTwoDecisionsAtOnceOneWins() {
    Request request = ask("call");
    busy.beforeWrite(1, () -> decide(request, Decision.Word.DENY, null));
    assertEquals(
        Refusal.Code.ALREADY_DECIDED, refused(() -> decide(request, Decision.Word.ALLOW, null)));
    assertEquals(Decision.Word.DENY, word(request));
  }

  @Test
  void whatIsDecidedDoesNotExpire() {
    Request request = ask("call");
    busy.beforeWrite(1, () -> decide(request, Decision.Word.ALLOW, null));
    assertEquals(Request.Status.DECIDED, expire(request).status());
    assertEquals(Decision.Word.ALLOW, word(request));
    goesOn();
  }

  @Test
  void whatHasExpiredIsNotDecided() {
    Request request = ask("call");
    busy.beforeWrite(1, () -> expire(request));
    assertEquals(
        Refusal.Code.REQUEST_CLOSED, refused(() -> decide(request, Decision.Word.ALLOW, null)));
    assertEquals(Request.Status.EXPIRED, expire(request).status());
    Refusal early = assertThrows(Refusal.class, () -> decide(request, Decision.Word.ALLOW, null));
    assertEquals(
        "The request has expired: its thread could not wait any longer", early.getMessage());
    assertEquals(List.of(), listed(true));
    goesOn();
  }

  /// Consent is never invented: nor is it once the time is over that the request named.
  @Test
  void nobodyDecidesAfterTheTime() {
    Request request = ask("call");
    clock.pass(HOLD);
    Refusal late = assertThrows(Refusal.class, () -> decide(request, Decision.Word.ALLOW, null));
    assertEquals(Refusal.Code.REQUEST_CLOSED, late.code());
    assertEquals("The request expired at " + request.expiresAt(), late.getMessage());
  }

  @Test
  void aDecisionNamesWhatItIsAbout() {
    Request request = ask("call");
    assertEquals(
        Refusal.Code.REQUEST_CHANGED,
        refused(() -> decide(request, Decision.Word.ALLOW, null, "0".repeat(64), "decider")));
    assertTrue(
        decide(request, Decision.Word.ALLOW, null, request.fingerprint(), "decider").isPresent());
  }

  @Test
  void whoeverSentTheMessagesDoesNotDecideWhereFourEyesMust() {
    Turn own = aws.claimed(created(true));
    Request request = ask(own, "call");
    assertEquals(
        Refusal.Code.FORBIDDEN,
        refused(() -> decide(request, Decision.Word.DENY, null, "0".repeat(64), "key")));
    assertTrue(decide(request, Decision.Word.ALLOW, null, null, "decider").isPresent());
    aws.endings().end(load(own), Ending.completed("done", List.of()), Plans.NONE);
    aws.sandboxes().release(load(own), true, Optional.empty());
    Turn next = aws.claimed(followUp(own.key().sessionKey(), "another"));
    Request second = ask(next, "call");
    for (String sender : List.of("key", "another")) {
      assertEquals(
          Refusal.Code.FORBIDDEN,
          refused(() -> decide(second, Decision.Word.ALLOW, null, null, sender)));
    }
    assertTrue(decide(second, Decision.Word.ALLOW, null, null, "decider").isPresent());
  }

  @Test
  void aGrantAllowsCallsLikeIt() {
    Request request = ask("call");
    Request decided = decide(request, Decision.Word.ALLOW_SESSION, null).orElseThrow();
    SessionGrant grant =
        new SessionGrant(
            session,
            request.fingerprint(),
            "Run it",
            "Bash",
            ToolPermissions.Kind.EXECUTE,
            decision(decided).at(),
            "decider");
    assertEquals(List.of(grant), aws.requests().grants(session));
    Request like = ask("like it");
    assertEquals(Request.Status.DECIDED, like.status());
    assertEquals(Decision.Word.ALLOW_SESSION, decision(like).word());
    assertEquals(Optional.empty(), load().held());
    assertEquals(1, aws.requests().ofSession(session).size());
    assertTrue(aws.requests().revoke(session, grant.fingerprint()));
    assertFalse(aws.requests().revoke(session, grant.fingerprint()));
    assertEquals(Request.Status.PENDING, ask("like it").status());
  }

  /// Who has allowed it for the session then sends a message of its own.
  @Test
  void aGrantIsNoSecondPairOfEyesForItsOwnKey() {
    Turn first = aws.claimed(created(true));
    Request request = ask(first, "call");
    assertTrue(decide(request, Decision.Word.ALLOW_SESSION, null, null, "decider").isPresent());
    assertEquals(Request.Status.DECIDED, ask(first, "like it").status());
    aws.endings().end(load(first), Ending.completed("done", List.of()), Plans.NONE);
    aws.sandboxes().release(load(first), true, Optional.empty());
    Turn own = aws.claimed(followUp(first.key().sessionKey(), "decider"));
    assertEquals(Request.Status.PENDING, ask(own, "like it").status());
  }

  @Test
  void oneRequestTooManyIsDeniedAtOnce() {
    fill(HeldTurns.MOST_PENDING);
    Request request = ask("call");
    assertEquals(Decision.Word.DENY, decision(request).word());
    assertTrue(String.valueOf(decision(request).note()).contains("500"));
    assertEquals(Optional.empty(), load().held());
    assertEquals(List.of(), aws.requests().ofSession(session));
  }

  /// The endings of a turn.
  enum EndOfTurn {
    RESULT,
    /// By a turn that was read before it was held.
    RESULT_READ_BEFORE,
    CANCEL,
    DELETE,
    FOLLOW_UP,
    LOST
  }

  private boolean ended(EndOfTurn by) {
    return switch (by) {
      case RESULT -> end(load());
      case RESULT_READ_BEFORE -> end(turn);
      case CANCEL -> aws.endings().cancel(session, Endings.Cancellation.ALL).isPresent();
      case DELETE -> aws.endings().delete(session);
      case FOLLOW_UP -> followUp(session, "key").live();
      case LOST -> {
        clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
        yield aws.endings().endAsSeen(load(), lost());
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void everyEndOfATurnClosesItsRequest(EndOfTurn by) {
    Request request = ask("call");
    clock.pass(AWHILE);
    assertTrue(ended(by));
    closed(request);
    assertTrue(load().claimed().orElseThrow().heldMillis() >= AWHILE.toMillis());
    assertEquals(0, load().activeMillis(load().ended().orElseThrow().endedAt()));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOST")
  void noEndIsLostByADecisionMeanwhile(EndOfTurn by) {
    Request request = ask("call");
    busy.beforeWrite(1, () -> decide(request, Decision.Word.ALLOW, null));
    assertTrue(ended(by));
    assertFalse(load().live());
    assertEquals(Decision.Word.ALLOW, word(request));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOST")
  void noEndIsLostByARequestMeanwhile(EndOfTurn by) {
    busy.beforeWrite(1, () -> ask("call"));
    assertTrue(ended(by));
    closed(request(RequestId.of(turn.key(), "call")));
  }

  @Test
  void aTurnThatHasEndedAsksNothing() {
    assertTrue(end(turn));
    assertEquals(Optional.empty(), aws.heldTurns().ask(turn, call("call")));
    assertEquals(List.of(), listed(true));
  }

  /// While it is pending the hold counts as moving the deadline.
  @Test
  void aHeldTurnIsNotOutOfTime() {
    clock.pass(LIMIT.plus(Turn.REPORT_GRACE).minus(Duration.ofSeconds(10)));
    assertTrue(aws.claims().renew(load(), Optional.empty()));
    Request request = ask("call");
    clock.pass(Duration.ofSeconds(40));
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn.key()));
    assertTrue(load().live());
    assertTrue(aws.claims().renew(load(), Optional.empty()));
    assertFalse(load().due(clock.instant()));
    assertTrue(decide(request, Decision.Word.ALLOW, null).isPresent());
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn.key()));
    assertTrue(load().live());
  }

  @Test
  void aLeaseIsRenewedWhileATurnIsHeld() {
    Request request = ask("call");
    assertTrue(aws.claims().renew(load(), Optional.empty()));
    busy.beforeWrite(1, () -> aws.claims().renew(load(), Optional.empty()));
    assertTrue(decide(request, Decision.Word.ALLOW, null).isPresent());
  }

  @Test
  void aClaimIsRepeatedWhileATurnIsHeld() {
    Request request = ask("call");
    Claims.Outcome again = aws.claim(load(), "ticket", "claim", 1000, "token", LIMIT);
    assertEquals(
        Optional.of(request.id()),
        assertInstanceOf(Claims.Outcome.Granted.class, again)
            .turn()
            .held()
            .map(Turn.Held::request));
  }

  @Test
  void aPurgeLeavesNothing() {
    Request request = ask("call");
    assertTrue(decide(request, Decision.Word.ALLOW_SESSION, null).isPresent());
    assertTrue(aws.requests().revoke(session, request.fingerprint()));
    Request _ = ask("another call");
    assertTrue(aws.endings().delete(session));
    assertEquals(List.of(), listed(false));
    aws.sandboxes().release(load(), true, Optional.empty());
    aws.purge().step(session);
    assertFalse(
        table.contents().keySet().stream()
            .anyMatch(key -> key.pk().contains("REQUESTS") || key.sk().startsWith("D#")));
  }

  @Test
  void aPurgeReadsNothingOfARequestButItsKey() {
    HeldTurns.Call call = call("call");
    String input = "\"" + "x".repeat(200_000) + "\"";
    Request.Tool tool = new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, input);
    HeldTurns.Call longCall =
        new HeldTurns.Call(call.call(), call.title(), tool, List.of(), call.fingerprint(), false);
    assertTrue(aws.heldTurns().ask(load(), longCall).isPresent());
    assertTrue(aws.endings().delete(session));
    aws.sandboxes().release(load(), true, Optional.empty());
    MeteredTable metered = new MeteredTable(table);
    assertTrue(
        InMemoryAws.of(metered, new InMemoryBucket(), new NoMachine(), clock)
            .purge()
            .step(session));
    assertTrue(metered.read() < input.length());
  }

  @Test
  void aListGoesOnWhereAPageEnded() {
    List<Request> asked =
        List.of("a", "b", "c").stream()
            .map(call -> {
              clock.pass(Duration.ofSeconds(1));
              return ask(aws.claimed(created(false)), call);
            })
            .toList();
    assertEquals(asked, paged(true));
    asked.forEach(request -> decide(request, Decision.Word.DENY, null));
    assertEquals(
        asked.reversed().stream().map(Request::id).toList(),
        paged(false).stream().map(Request::id).toList());
  }

  /// Beside the one transaction.
  @Test
  void aStepCostsAFewReads() {
    MeteredTable metered = new MeteredTable(table);
    InMemoryAws counted = InMemoryAws.of(metered, new InMemoryBucket(), new NoMachine(), clock);
    HeldTurns heldTurns = counted.heldTurns();
    Turn seen = load();
    assertTrue(heldTurns.ask(seen, call("call")).isPresent());
    assertEquals(3, metered.calls()); // the first looks for webhooks
    Optional<Request> request = heldTurns.ask(seen, call("call"));
    assertEquals(1, metered.calls());
    Decisions.Wanted allow =
        new Decisions.Wanted(Decision.Word.ALLOW, null, Map.of(), null, "decider");
    assertTrue(counted.decisions().decide(session, request.orElseThrow().id(), allow).isPresent());
    assertEquals(2, metered.calls());
    request = heldTurns.ask(seen, call("next"));
    assertEquals(2, metered.calls());
    assertTrue(heldTurns.expire(seen, request.orElseThrow().id()).isPresent());
    assertEquals(1, metered.calls());
  }

  private List<Request> paged(boolean pending) {
    List<Request> all = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Requests.Page page = aws.requests().ofWorkspace(WORKSPACE, pending, next.orElse(null), 2);
      all.addAll(page.requests());
      next = page.next();
    } while (next.isPresent());
    return all;
  }

  private void goesOn() {
    assertEquals(TurnStatus.RUNNING, load().status());
    assertEquals(Optional.empty(), load().held());
    assertEquals(Optional.empty(), aws.sessions().load(session).orElseThrow().request());
  }

  private void closed(Request request) {
    assertFalse(load().live());
    assertEquals(Request.Status.CLOSED, request(request.id()).status());
    assertEquals(List.of(), listed(true));
    assertEquals(Optional.empty(), aws.sessions().load(session).flatMap(found -> found.request()));
    assertThrows(Refusal.class, () -> decideAnyhow(request));
  }

  private void decideAnyhow(Request request) {
    if (decide(request, Decision.Word.ALLOW, null).isEmpty()) {
      throw Refusal.notFound("Session");
    }
  }

  /// Pending requests of other sessions, as far as their number counts.
  private void fill(int number) {
    Table direct = new Table(table, InMemoryAws.TABLE, new ChangeSignal(true));
    for (int i = 0; i < number; i++) {
      Request other =
          new Request(
              new RequestId(new UUID(i, i)),
              turn.key(),
              Request.Status.PENDING,
              "",
              new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{}"),
              List.of(),
              null,
              List.of(),
              "0".repeat(64),
              Stamp.of(clock.instant()),
              clock.instant(),
              null);
      assertTrue(direct.write(RequestWrites.made(other, false).subList(1, 2)).committed());
    }
  }

  private boolean end(Turn seen) {
    return aws.endings().end(seen, Ending.completed("done", List.of()), Plans.NONE);
  }

  private static Ending lost() {
    return Ending.failed(TurnStatus.FAILED, TurnError.runnerLost(), List.of());
  }

  private Request ask(String call) {
    return ask(turn, call);
  }

  private Request ask(Turn by, String call) {
    return aws.heldTurns().ask(load(by), call(call)).orElseThrow();
  }

  private Request ask(List<Question> questions) {
    HeldTurns.Call call = call("call");
    HeldTurns.Call asking =
        new HeldTurns.Call(
            call.call(), call.title(), call.tool(), questions, call.fingerprint(), false);
    return aws.heldTurns().ask(load(), asking).orElseThrow();
  }

  private Optional<Request> answer(
      Request request, Decision.Word word, Map<String, List<String>> answers) {
    Decisions.Wanted wanted = new Decisions.Wanted(word, null, answers, null, "decider");
    return aws.decisions().decide(session, request.id(), wanted);
  }

  private static HeldTurns.Call call(String name) {
    return new HeldTurns.Call(
        name,
        "Run it",
        new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{}"),
        List.of(),
        "f".repeat(64),
        false);
  }

  private Optional<Request> decide(Request request, Decision.Word word, @Nullable String note) {
    return decide(request, word, note, null, "decider");
  }

  private Optional<Request> decide(
      Request request,
      Decision.Word word,
      @Nullable String note,
      @Nullable String fingerprint,
      String key) {
    return aws.decisions()
        .decide(
            request.turn().sessionKey(),
            request.id(),
            new Decisions.Wanted(word, note, Map.of(), fingerprint, key));
  }

  private Request expire(Request request) {
    return aws.heldTurns().expire(load(), request.id()).orElseThrow();
  }

  private Decision.Word word(Request request) {
    return decision(request(request.id())).word();
  }

  private static Decision decision(Request request) {
    return Objects.requireNonNull(request.decision());
  }

  /// As it is kept, whether its session is deleted or not.
  private Request request(RequestId id) {
    return aws.requests().load(session, id).orElseThrow();
  }

  private List<Request> listed(boolean pending) {
    return aws.requests().ofWorkspace(WORKSPACE, pending, null, 100).requests();
  }

  private static Refusal.Code refused(Runnable call) {
    return assertThrows(Refusal.class, call::run).code();
  }

  private Instant deadline() {
    return load().claimed().orElseThrow().deadline();
  }

  private Turn created(boolean fourEyes) {
    ToolPermissions permissions =
        new ToolPermissions(
            ToolPermissions.Policy.ASK,
            List.of(),
            new ToolPermissions.Asking(fourEyes, (int) HOLD.toSeconds(), false, false, 7));
    return aws.accepted(NewSessions.with(permissions, "key"));
  }

  private Turn followUp(SessionKey key, String by) {
    FollowUp more =
        new FollowUp(
            "more", null, OnRunning.INTERRUPT, null, List.of(), Map.of(), Ceilings.NONE, by);
    return accepted(aws.intake().followUp(key, more, URL, null));
  }

  private Turn load() {
    return load(turn);
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }
}
