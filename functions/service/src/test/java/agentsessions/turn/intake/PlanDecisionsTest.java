package agentsessions.turn.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Sha256;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.message.History;
import agentsessions.turn.Endings;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A person decides on a plan, after the turn that made it has ended.
class PlanDecisionsTest extends ClosingRequests {
  private static final String PLAN = "1. Do it.";
  private static final String PATH = "/workspace/PLAN.md";
  private static final int MOST_BYTES = 256 * 1024;

  /// The length of what stands above the plan in its message.
  private static final int HEAD = 58;

  PlanDecisionsTest() {
    super(
        SessionInputs.NONE,
        new ToolPermissions(
            ToolPermissions.Policy.ALLOW,
            List.of(),
            new ToolPermissions.Asking(false, 60, false, true, (int) DAYS.toDays())));
  }

  @Test
  void aPlanWaitsAfterTheEndOfItsTurn() {
    Request request = planned();
    assertEquals(Request.Kind.PLAN, request.kind());
    assertEquals(Sha256.hex(PLAN), request.fingerprint());
    assertEquals(clock.instant().plus(DAYS), request.expiresAt());
    assertEquals(Optional.of(plan().id()), Optional.ofNullable(request.plan()));
    assertEquals(TurnStatus.COMPLETED, load().status());
    assertFalse(load().work().approved());
    assertEquals(Optional.of(request.id()), session().closingRequest().map(Turn.Held::request));
    assertEquals(1, pending());
    assertFalse(session().working());
    assertEquals(List.of(session), working());
    assertEquals(List.of(request), listed(true));
  }

  @Test
  void withoutAPlanTheTurnHasFailed() {
    assertTrue(end(List.of()));
    Turn.State.Ended ended = load().ended().orElseThrow();
    assertEquals(TurnStatus.FAILED, ended.status());
    assertEquals(
        Optional.of("PLAN_MISSING"), Optional.ofNullable(ended.error()).map(it -> it.code()));
    assertEquals(List.of(), listed(true));
  }

  @Test
  void theNextTurnCarriesOutWhatIsAllowed() {
    Request request = planned();
    Request decided = decide(request, Decision.Word.ALLOW, "soon").orElseThrow();
    assertEquals(Request.Status.DECIDED, decided.status());
    Turn next = current();
    assertTrue(next.work().approved());
    assertEquals(TurnStatus.QUEUED, next.status());
    assertEquals("asker", next.account().keyId());
    assertEquals(List.of(next.id() + "-1"), started);
    assertEquals(List.of(session), working());
    assertEquals(
        "# The plan /workspace/PLAN.md is approved: carry it out.\n# soon\n\n" + PLAN,
        message(next));
    waitsNoMore();
    assertEquals(decided, decide(request, Decision.Word.ALLOW, "soon").orElseThrow());
    assertEquals(next.id(), current().id());
    assertEquals(Refusal.Code.ALREADY_DECIDED, refused(request, Decision.Word.DENY));
  }

  /// The message is the script of a shell, where the next line of a name would be a command.
  @Test
  void theNameOfAPlanIsNoLineOfItsMessage() {
    assertTrue(end(List.of(plan("/workspace/x\nid>/tmp/p #\u0085/PLAN.md", PLAN))));
    assertTrue(decide(listed(true).getFirst(), Decision.Word.ALLOW, null).isPresent());
    assertEquals(
        "# The plan /workspace/x\uFFFDid>/tmp/p #\uFFFD/PLAN.md is approved: carry it out.\n\n"
            + PLAN,
        message(current()));
  }

  @Test
  void anotherTurnPlansAgainAfterADenialWithANote() {
    Request request = planned();
    assertTrue(decide(request, Decision.Word.DENY, "shorter").isPresent());
    assertFalse(current().work().approved());
    assertEquals("# The plan is not approved: change it.\n\nshorter", message(current()));
    waitsNoMore();
  }

  @Test
  void nothingFollowsADenialWithoutANote() {
    assertTrue(decide(planned(), Decision.Word.DENY, null).isPresent());
    assertEquals(turn.id(), current().id());
    assertEquals(List.of(), started);
    assertEquals(List.of(), working());
    waitsNoMore();
  }

  /// What is carried out is what was decided on, whole: for a shell there is nothing else to run.
  @ParameterizedTest
  @ValueSource(ints = {128 * 1024 + 1, MOST_BYTES - HEAD})
  void aLongPlanComesBackWhole(int length) {
    String text = "x".repeat(length);
    assertTrue(end(List.of(plan(PATH, text))));
    assertTrue(decide(listed(true).getFirst(), Decision.Word.ALLOW, null).isPresent());
    assertEquals("# The plan /workspace/PLAN.md is approved: carry it out.\n\n" + text, message());
  }

  @ParameterizedTest
  @ValueSource(ints = {MOST_BYTES - HEAD + 1, MOST_BYTES + 1})
  void aPlanThatFitsIntoNoMessageWaitsOn(int length) {
    assertTrue(end(List.of(plan(PATH, "x".repeat(length)))));
    isNotAllowed();
    Request request = listed(true).getFirst();
    assertTrue(decide(request, Decision.Word.DENY, "shorter").isPresent());
    assertEquals("# The plan is not approved: change it.\n\nshorter", message());
  }

  @Test
  void aPlanThatIsNoTextWaitsOn() {
    Request _ = planned();
    bucket.spoil("key");
    isNotAllowed();
  }

  private void isNotAllowed() {
    Request request = listed(true).getFirst();
    Refusal refusal = assertThrows(Refusal.class, () -> decide(request, Decision.Word.ALLOW, null));
    assertEquals(Refusal.Code.VALIDATION, refusal.code());
    assertEquals(
        "decision must be deny: with its note, the plan is no UTF-8 text that fits into a message of 262144 bytes",
        refusal.getMessage());
    assertEquals(List.of(request), listed(true));
    assertEquals(turn.id(), current().id());
  }

  @Test
  void eachPlanIsDecidedOn() {
    Request request = planned();
    assertEquals(Refusal.Code.VALIDATION, refused(request, Decision.Word.ALLOW_SESSION));
    assertEquals(List.of(request), listed(true));
  }

  @Test
  void noTurnBeginsBeyondALimit() {
    Request request = planned();
    for (int turns = 0; turns < InMemoryAws.MOST_LIVE_TURNS; turns++) {
      created();
    }
    assertEquals(Refusal.Code.TOO_MANY_TURNS, refused(request, Decision.Word.ALLOW));
    assertEquals(List.of(request), listed(true));
    decide(request, Decision.Word.DENY, null);
    assertEquals(List.of(), listed(true));
  }

  @Test
  void anInterruptClosesIt() {
    Request request = planned();
    assertEquals(turn.id(), interrupted(true));
    assertEquals(List.of(request), listed(true));
    assertEquals(turn.id(), interrupted(false));
    waitsNoMore();
    assertEquals(Request.Status.CLOSED, listed(false).getFirst().status());
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
    Session closed = session();
    assertEquals(turn.id(), interrupted(false));
    assertEquals(closed, session());
  }

  @Test
  void ofAnInterruptAndADecisionOneWins() {
    Request request = planned();
    busy.beforeWrite(1, () -> interrupted(false));
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
    assertEquals(turn.id(), current().id());
  }

  /// @param onlyRunning whether what waits is to stay
  private TurnId interrupted(boolean onlyRunning) {
    Endings.Cancellation wanted = new Endings.Cancellation(onlyRunning, null);
    return aws.endings().cancel(session, wanted).orElseThrow().id();
  }

  @Test
  void ofTwoDecisionsOneWins() {
    Request request = planned();
    busy.beforeWrite(1, () -> decide(request, Decision.Word.DENY, null));
    assertEquals(Refusal.Code.ALREADY_DECIDED, refused(request, Decision.Word.ALLOW));
    assertEquals(turn.id(), current().id());
  }

  @Test
  void aMessageClosesItHoweverItComes() {
    Request request = planned();
    busy.beforeWrite(1, () -> followUp("more"));
    Refusal late = assertThrows(Refusal.class, () -> decide(request, Decision.Word.ALLOW, null));
    assertEquals(Refusal.Code.REQUEST_CLOSED, late.code());
    assertEquals(
        "The request is closed: another thread has begun since, or the session was interrupted",
        late.getMessage());
    assertEquals(Request.Status.CLOSED, kept(request).status());
    waitsNoMore();
  }

  @Test
  void aDeletionClosesIt() {
    Request _ = planned();
    assertTrue(aws.endings().delete(session));
    assertEquals(List.of(), listed(true));
    assertEquals(List.of(), working());
    clock.pass(DAYS);
    assertEquals(List.of(), due());
  }

  @Test
  void whatNobodyDecidesExpires() {
    Request request = planned();
    clock.pass(DAYS.minusMillis(1));
    assertEquals(Request.Status.PENDING, kept(request).status());
    aws.decisions().expireClosing(session, request.id());
    assertEquals(List.of(request), listed(true));
    clock.pass(Duration.ofMillis(1));
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
    assertEquals(request, kept(request), "until the sweep has come, as session and thread say");
    assertEquals(List.of(request), listed(true));
    assertEquals(List.of(), listed(false));
    aws.overdue(clock).handle(due().getFirst());
    assertEquals(List.of(), due());
    assertEquals(List.of(request.expired()), listed(false));
    assertEquals(TurnStatus.COMPLETED, load().status());
    assertEquals(List.of(), working());
    waitsNoMore();
  }

  private Request planned() {
    assertTrue(end(List.of(plan())));
    return listed(true).getFirst();
  }

  private boolean end(List<Artifact> artifacts) {
    return aws.endings().end(load(), Ending.completed("done", artifacts), Plans.NONE);
  }

  private Artifact plan() {
    return plan(PATH, PLAN);
  }

  private Artifact plan(String path, String text) {
    bucket.contents().put("key", text);
    return new Artifact(
        new ArtifactId(new UUID(7, 7)),
        turn.key(),
        path,
        Artifact.planId(session.id(), path),
        text.length(),
        Sha256.hex(text),
        "text/markdown",
        "key",
        clock.instant());
  }

  private String message() {
    return message(current());
  }

  private String message(Turn next) {
    History.Range range =
        new History.Range(
            EnumSet.of(MessageKind.USER),
            next.firstStamp().plusMicros(-1),
            next.lastStamp(),
            true,
            10);
    return aws.history().text(aws.history().messages(next, range).getFirst());
  }
}
