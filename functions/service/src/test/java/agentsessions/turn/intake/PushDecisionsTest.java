package agentsessions.turn.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.rule.WaitingPush;
import agentsessions.session.Ending;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.input.Environment;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.request.SessionGrant;
import agentsessions.session.usage.Usage;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.turn.HeldTurns;
import agentsessions.turn.TurnInputs;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A person decides on the pushes of a turn, after it has ended.
class PushDecisionsTest extends ClosingRequests {
  private static final Checkout.Push PLAIN = new Checkout.Push(null, false, null, null, null);
  private static final Checkout.Push PULLED =
      new Checkout.Push(
          "work",
          false,
          "main",
          Checkout.Provider.GITEA,
          new Checkout.PullRequest("A title", null, false));
  private static final Repository.Fault WAITS = new Repository.Fault(WaitingPush.CODE, "later");

  private static final ToolPermissions DENYING = pushes(ToolPermissions.Policy.DENY);

  PushDecisionsTest() {
    super(
        new SessionInputs(
            null,
            List.of(checkout("app", PLAIN), checkout("lib", PULLED), checkout("own", null)),
            List.of(),
            Environment.NONE),
        pushes(ToolPermissions.Policy.ASK));
  }

  private static ToolPermissions pushes(ToolPermissions.Policy policy) {
    return new ToolPermissions(
        ToolPermissions.Policy.ALLOW,
        List.of(new ToolPermissions.Rule(ToolPermissions.Kind.PUSH, null, null, policy)),
        new ToolPermissions.Asking(true, 60, false, false, (int) DAYS.toDays()));
  }

  @Test
  void pushesWaitTogetherAfterTheEndOfTheirTurn() {
    Request request = asked();
    String branch = "agent/" + session.id().toString().substring(0, 8);
    assertEquals(Request.Kind.PUSH, request.kind());
    assertEquals(
        "Push app to %s (patch 000000000000), lib to work (patch 111111111111)".formatted(branch),
        request.title());
    assertEquals(turn.key(), request.turn());
    assertEquals(clock.instant().plus(DAYS), request.expiresAt());
    assertEquals(TurnStatus.COMPLETED, load().status());
    assertEquals(1, pending());
    assertEquals(Optional.of(request.id()), session().closingRequest().map(Turn.Held::request));
    assertEquals(List.of(session), working());
    repositories().forEach(repository -> assertEquals(null, repository.fault()));
    repositories().forEach(repository -> assertEquals(null, repository.pushed()));
  }

  @Test
  void anotherPatchIsAnotherFingerprint() {
    Request first = asked();
    followUp("more");
    Turn next = aws.claimed(current());
    Ending ending =
        Ending.completed("", List.of())
            .with(List.of(seen("app", "9", WAITS), seen("lib", "1"), seen("own", "1")));
    assertTrue(aws.endings().end(next, ending.using(Usage.NONE), Plans.NONE));
    assertNotEquals(first.fingerprint(), listed(true).getFirst().fingerprint());
    assertEquals(Request.Status.CLOSED, kept(first).status());
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(first, Decision.Word.ALLOW));
  }

  @Test
  void aRunnerIsNotBelievedWithoutADestinationOrARuleThatAsks() {
    assertTrue(end(List.of(seen("app", "0"), seen("lib", "1"), seen("own", "2", WAITS))));
    waitsNoMore();
    assertEquals(null, repositories().getLast().fault());
  }

  @Test
  void aTurnThatFailsAsksNothing() {
    Ending failed =
        Ending.failed(TurnStatus.FAILED, TurnError.timeLimit(), List.of()).with(waiting());
    assertTrue(aws.endings().end(load(), failed, Plans.NONE));
    waitsNoMore();
  }

  @Test
  void whatIsAllowedIsPushedByAJob() {
    Request request = asked();
    Request decided = decide(request, Decision.Word.ALLOW, null).orElseThrow();
    assertEquals(Request.Status.DECIDED, decided.status());
    assertEquals(turn.id(), current().id());
    Turn job = job();
    assertEquals(List.of(job.id() + "-1"), started);
    assertEquals("asker", job.account().keyId());
    PushJob wanted = Objects.requireNonNull(job.work().job());
    assertEquals(
        List.of(new PushJob.Target(1, PLAIN), new PushJob.Target(2, PULLED)), wanted.targets());
    assertEquals("A title", wanted.subject());
    assertEquals(new Session.Job(job.id(), false), session().turns().job());
    waitsNoMore();
    assertEquals(decided, decide(request, Decision.Word.ALLOW, null).orElseThrow());
    assertEquals(Refusal.Code.ALREADY_DECIDED, refused(request, Decision.Word.DENY));
    assertEquals(List.of(true, true, true), allowed(aws.claimed(job)));
  }

  @Test
  void aJobThatIsLostSaysSoOfEachRepository() {
    assertTrue(decide(asked(), Decision.Word.ALLOW, null).isPresent());
    Turn job = aws.claimed(job());
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    aws.overdue(clock).handle(new Turns.Due.OfTurn(job.key()));
    assertEquals(List.of("PUSH_REFUSED", "PULL_REQUEST_FAILED", ""), faults());
    assertEquals(Optional.empty(), session().job());
  }

  @Test
  void whatIsDeniedIsAnErrorOfItsRepositories() {
    assertTrue(decide(asked(), Decision.Word.DENY, "not on a Friday").isPresent());
    assertEquals(List.of("PUSH_REFUSED", "PUSH_REFUSED", ""), faults());
    assertEquals(
        "A person has denied this push: not on a Friday",
        Objects.requireNonNull(repositories().getFirst().fault()).message());
    assertEquals(Optional.empty(), session().job());
    assertEquals(List.of(), started);
    assertEquals(List.of(), working());
    waitsNoMore();
  }

  @Test
  void whatIsAllowedForTheSessionIsNotAskedAboutAgain() {
    assertTrue(decide(asked(), Decision.Word.ALLOW_SESSION, null).isPresent());
    assertEquals(
        List.of("decider push PUSH", "decider push PUSH"),
        aws.requests().grants(session).stream()
            .map(grant -> "%s %s %s".formatted(grant.keyId(), grant.toolName(), grant.kind()))
            .toList());
    finish(aws.claimed(job()));
    followUp("more");
    assertEquals(List.of(true, true, false), allowed(aws.claimed(current())));
    for (SessionGrant grant : aws.requests().grants(session)) {
      assertTrue(aws.requests().revoke(session, grant.fingerprint()));
    }
    assertEquals(List.of(false, false, false), allowed(current()));
  }

  @Test
  void whatNobodyDecidesExpires() {
    Request request = asked();
    clock.pass(DAYS);
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
    aws.overdue(clock).handle(due().getFirst());
    assertEquals(List.of(), due());
    assertEquals(List.of(request.expired()), listed(false));
    assertEquals(List.of("", "", ""), faults());
    waitsNoMore();
  }

  @Test
  void aMessageClosesItHoweverItComes() {
    Request request = asked();
    busy.beforeWrite(1, () -> followUp("more"));
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
    assertEquals(Optional.empty(), session().job());
    waitsNoMore();
  }

  @Test
  void aMessageThatComesWithADecisionWaitsForItsJob() {
    Request request = asked();
    busy.beforeWrite(1, () -> decide(request, Decision.Word.ALLOW, null));
    followUp("more");
    assertEquals(turn.id(), session().currentTurn());
    assertEquals(1, session().waiting().size());
    finish(aws.claimed(job()));
    assertEquals(List.of(), session().waiting());
  }

  @Test
  void aJobHasThePermissionsOfItsSessionAtThatMoment() {
    Request request = asked();
    busy.beforeWrite(1, this::denyPushes);
    assertTrue(decide(request, Decision.Word.ALLOW, null).isPresent());
    assertEquals(DENYING.version(), job().work().permissions());
  }

  /// Where pushes may not be made any more, its runner refuses them.
  private void denyPushes() {
    Sessions.Patch patch =
        new Sessions.Patch(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Optional.of(DENYING)));
    assertTrue(aws.sessions().change(session, patch).isPresent());
  }

  @Test
  void ofTwoDecisionsOneWins() {
    Request request = asked();
    busy.beforeWrite(1, () -> decide(request, Decision.Word.DENY, null));
    assertEquals(Refusal.Code.ALREADY_DECIDED, refused(request, Decision.Word.ALLOW));
    assertEquals(Optional.empty(), session().job());
  }

  @Test
  void aDeletionEndsTheRequestOrTheJobThatIsAllowedMeanwhile() {
    Request request = asked();
    busy.beforeWrite(1, () -> decide(request, Decision.Word.ALLOW, null));
    assertTrue(aws.endings().delete(session));
    assertTrue(aws.sessions().load(session).isEmpty());
    assertEquals(List.of(), listed(true));
    assertEquals(List.of(), working());
  }

  @Test
  void aPullRequestThatIsAskedForAfterwardsWaitsAsWell() {
    Turn first = pullRequest();
    assertEquals(List.of(false, false, false), allowed(first));
    leaves(first);
    assertEquals(Optional.empty(), session().job());
    Request request = listed(true).getFirst();
    assertEquals(turn.key(), request.turn());
    assertEquals(1, pending());
    assertEquals(List.of("", "", ""), faults());
    for (String own : List.of("asker", "key")) {
      assertEquals(
          Refusal.Code.FORBIDDEN,
          refused(() -> decide(request, Decision.Word.ALLOW, null, own)),
          "whoever asks does not decide where four eyes must");
    }
    assertTrue(decide(request, Decision.Word.ALLOW, null).isPresent());
    assertEquals(
        List.of(new PushJob.Target(2, PULLED)),
        Objects.requireNonNull(job().work().job()).targets());
  }

  /// Its session has no thread that could be held meanwhile.
  @Test
  void aJobAsksNothingWhileItRuns() {
    Request.Tool tool = new Request.Tool("Bash", ToolPermissions.Kind.EXECUTE, "{}");
    HeldTurns.Call call =
        new HeldTurns.Call("call", "Run it", tool, List.of(), "f".repeat(64), false);
    assertEquals(Optional.empty(), aws.heldTurns().ask(pullRequest(), call));
    waitsNoMore();
  }

  /// Whoever closes the request has read the session before the whole job.
  @Test
  void aMessageClosesWhatAJobHasLeftMeanwhile() {
    done();
    busy.beforeWrite(1, () -> leaves(pullRequest()));
    followUp("more");
    waitsNoMore();
    assertEquals(Request.Status.CLOSED, listed(false).getFirst().status());
  }

  @Test
  void aDeletionClosesWhatAJobHasLeftMeanwhile() {
    done();
    busy.beforeWrite(1, () -> leaves(pullRequest()));
    assertTrue(aws.endings().delete(session));
    assertEquals(List.of(), due());
    assertEquals(List.of(), working());
  }

  /// A job that a client asks for, as it is claimed.
  private Turn pullRequest() {
    done();
    PullRequestIntake intake = InMemoryAws.pullRequests(busy, clock);
    PullRequestIntake.Wanted wanted =
        new PullRequestIntake.Wanted(PushJob.of(2, PULLED, "A title"), true, "key");
    return aws.claimed(
        InMemoryAws.accepted(intake.accept(session, Optional.of(wanted), "http://service", null)));
  }

  /// The end of the first turn, which asks nothing.
  private void done() {
    if (load().live()) {
      assertTrue(end(List.of(seen("app", "0"), seen("lib", "1"), seen("own", "2"))));
      aws.sandboxes().release(load(), true, Optional.of(Usage.NONE));
    }
  }

  /// A job ends, since a person has to be asked.
  private void leaves(Turn job) {
    Ending waits =
        Ending.completed("", List.of())
            .with(List.of(seen("app", "0"), seen("lib", "1", WAITS), seen("own", "2")));
    assertTrue(aws.endings().end(job, waits.using(Usage.NONE), Plans.NONE));
    aws.sandboxes()
        .release(aws.turns().load(job.key()).orElseThrow(), true, Optional.of(Usage.NONE));
  }

  private void finish(Turn job) {
    Ending done = Ending.completed("", List.of()).with(repositories()).using(Usage.NONE);
    assertTrue(aws.endings().end(job, done, Plans.NONE));
    aws.sandboxes()
        .release(aws.turns().load(job.key()).orElseThrow(), true, Optional.of(Usage.NONE));
  }

  private Turn job() {
    return aws.turns().load(session().job().orElseThrow()).orElseThrow();
  }

  private List<Boolean> allowed(Turn any) {
    TurnInputs.Loaded.Ready ready =
        assertInstanceOf(TurnInputs.Loaded.Ready.class, aws.inputs().of(any));
    return ready.repositories().stream().map(TurnInputs.Assigned::allowed).toList();
  }

  private List<Repository> repositories() {
    return session().configuration().repositories();
  }

  private List<String> faults() {
    return repositories().stream()
        .map(repository -> repository.fault() == null ? "" : repository.fault().code())
        .toList();
  }

  private Request asked() {
    assertTrue(end(waiting()));
    aws.sandboxes().release(load(), true, Optional.of(Usage.NONE));
    return listed(true).getFirst();
  }

  private boolean end(List<Repository> repositories) {
    Ending ending = Ending.completed("done", List.of()).with(repositories);
    return aws.endings().end(load(), ending.using(Usage.NONE), Plans.NONE);
  }

  private static List<Repository> waiting() {
    return List.of(seen("app", "0", WAITS), seen("lib", "1", WAITS), seen("own", "2"));
  }

  private static Repository seen(String name, String digit) {
    return seen(name, digit, null);
  }

  private static Repository seen(String name, String digit, Repository.@Nullable Fault fault) {
    return new Repository(
        url(name),
        null,
        name,
        "a".repeat(40),
        "b".repeat(40),
        "main",
        new Repository.Changes(1, 1, 0),
        new Repository.Patch(
            new ArtifactId(new UUID(0, 1)), "artifacts/x", digit.repeat(64), "7e".repeat(20)),
        null,
        null,
        fault);
  }

  private static Checkout checkout(String name, Checkout.@Nullable Push push) {
    return new Checkout(
        RepositoryUrl.of(url(name)),
        null,
        name,
        50,
        false,
        new Checkout.Credential.Token("robot", "token"),
        push);
  }

  private static String url(String name) {
    return "https://host.example/%s.git".formatted(name);
  }
}
