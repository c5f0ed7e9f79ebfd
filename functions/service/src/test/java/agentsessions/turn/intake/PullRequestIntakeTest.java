package agentsessions.turn.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.session.Acceptance;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSessions;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.session.usage.Usage;
import agentsessions.store.session.Turns;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Endings;
import agentsessions.turn.TurnEvents;
import agentsessions.turn.TurnInputs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A pull request is made as a job of its session, and never beside a turn.
class PullRequestIntakeTest {
  private static final String URL = "http://service";
  private static final Idempotency KEY = new Idempotency("key", "body");
  private static final PushJob JOB =
      PushJob.of(
          1,
          new Checkout.Push(
              null,
              false,
              "main",
              Checkout.Provider.GITEA,
              new Checkout.PullRequest("A title", null, true)),
          "A title");

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final ContendedTable busy = new ContendedTable(table);
  private final InMemoryAws aws =
      InMemoryAws.of(busy, new InMemoryBucket(), new RecordedTaskCalls(), clock);
  private final PullRequestIntake intake = InMemoryAws.pullRequests(busy, clock);
  private final SessionKey session = changed();

  @Test
  void aJobLeavesItsAcceptanceAndNothingElse() {
    Turn job = aws.claimed(accepted());
    Session during = load();
    assertEquals(Optional.of(job.key()), during.job());
    assertFalse(during.busy());
    assertEquals(clock.instant().plus(PushJob.LONGEST), job.claimed().orElseThrow().deadline());
    assertEquals(
        Optional.empty(),
        aws.events().append(job, 0, List.of(new TurnEvents.Event(MessageKind.PROGRESS, "no"))));
    Repository.Pushed pushed = new Repository.Pushed("agent/x", "c".repeat(40), clock.instant());
    Repository after = patched().after(pushed, "http://host/1", null);
    Ending done = Ending.completed("", List.of()).with(List.of(after)).using(Usage.NONE);
    assertTrue(aws.endings().end(load(job), done, Plans.NONE));
    assertFalse(aws.endings().end(load(job), done, Plans.NONE));
    aws.sandboxes().release(load(job), true, Optional.of(Usage.NONE));
    Session idle = load();
    assertEquals(Optional.empty(), idle.job());
    assertEquals(List.of(after), idle.configuration().repositories());
    assertEquals(during.turns().last(), idle.turns().last());
    assertEquals(during.account(), idle.account());
    assertEquals(1, aws.turns().list(session, " ", "~", true, 10).size());
    assertInstanceOf(Acceptance.Accepted.class, accept(null));
  }

  @Test
  void itsRunnerIsGivenOneRepositoryAndNoneOfTheRest() {
    TurnInputs.Loaded.Ready ready =
        assertInstanceOf(TurnInputs.Loaded.Ready.class, aws.inputs().of(aws.claimed(accepted())));
    assertEquals(Map.of(), ready.variables());
    assertEquals(null, ready.setup());
    assertEquals(
        JOB.targets().getFirst().push(), ready.repositories().getFirst().checkout().push());
    assertTrue(ready.repositories().getFirst().login().isPresent());
  }

  @Test
  void aRepeatIsAnsweredAsTheFirst() {
    Turn job = InMemoryAws.accepted(accept(KEY));
    assertEquals(new Acceptance.Replayed(job.receipt()), accept(KEY));
    assertEquals(new Acceptance.KeyReused(), accept(new Idempotency("key", "another")));
    assertTrue(aws.endings().delete(session));
    assertEquals(new Acceptance.Replayed(job.receipt()), accept(KEY));
    assertEquals(new Acceptance.NoSession(), accept(null));
  }

  @Test
  void aMessageWaitsForAJobAndIsBegunAfterIt() {
    Turn job = aws.claimed(accepted());
    Turn next = InMemoryAws.accepted(followUp());
    assertTrue(next.waits());
    assertEquals(Refusal.Code.SESSION_BUSY, refused());
    clock.pass(Duration.ofSeconds(InMemoryAws.LEASE_SECONDS + 1));
    sweep(job.key());
    Session after = load();
    assertEquals(next.key(), after.current());
    assertTrue(after.working());
    Repository repository = after.configuration().repositories().getFirst();
    assertEquals("PULL_REQUEST_FAILED", fault(repository));
    assertEquals(List.of(repository), load(next).work().repositories());
  }

  @Test
  void aJobThatNobodyClaimsEndsInFiveMinutes() {
    Turn job = accepted();
    clock.pass(PushJob.LONGEST.plusSeconds(1));
    sweep(job.key());
    assertEquals(TurnStatus.FAILED, load(job).status());
    assertEquals(Optional.empty(), load().job());
  }

  @Test
  void aJobWhoseRunnerDoesNotEndIsEndedInFiveMinutes() {
    Turn job = aws.claimed(accepted());
    clock.pass(PushJob.LONGEST.minusSeconds(1));
    assertTrue(aws.claims().renew(load(job), Optional.empty()));
    clock.pass(Duration.ofSeconds(2));
    sweep(job.key());
    assertEquals(TurnStatus.TIMED_OUT, load(job).status());
  }

  @Test
  void noTurnBeginsBesideAJobThatWasAcceptedMeanwhile() {
    busy.beforeWrite(1, this::accepted);
    assertTrue(InMemoryAws.accepted(followUp()).waits());
    assertTrue(load().job().isPresent());
  }

  @Test
  void aMessageBeginsWithWhatAJobHasLeftMeanwhile() {
    busy.beforeWrite(1, this::pushed);
    Turn next = InMemoryAws.accepted(followUp());
    assertEquals(load().configuration().repositories(), load(next).work().repositories());
  }

  @Test
  void aJobBeginsWithWhatAnotherHasLeftMeanwhile() {
    busy.beforeWrite(1, this::pushed);
    Turn next = accepted();
    assertEquals(load().configuration().repositories(), load(next).work().repositories());
  }

  @Test
  void noJobBeginsBesideATurnThatWasAcceptedMeanwhile() {
    busy.beforeWrite(1, this::followUp);
    assertEquals(Refusal.Code.SESSION_BUSY, refused());
    assertEquals(Optional.empty(), load().job());
  }

  @Test
  void ofTwoJobsOneIsAccepted() {
    busy.beforeWrite(1, this::accepted);
    assertEquals(Refusal.Code.SESSION_BUSY, refused());
  }

  @Test
  void aDeletionEndsTheJobAlsoOneThatWasAcceptedMeanwhile() {
    busy.beforeWrite(1, this::accepted);
    assertTrue(aws.endings().delete(session));
    Turn job =
        table.contents().keySet().stream()
            .filter(key -> key.sk().startsWith("J#"))
            .map(key -> session.turn(TurnId.parse(key.sk().substring(2)).orElseThrow()))
            .map(key -> aws.turns().load(key).orElseThrow())
            .findFirst()
            .orElseThrow();
    assertEquals(TurnStatus.CANCELLED, job.status());
  }

  @Test
  void aDeletionEndsAJobThatEndsMeanwhile() {
    Turn job = aws.claimed(accepted());
    busy.beforeWrite(
        1,
        () ->
            assertTrue(
                aws.endings()
                    .end(
                        job,
                        Ending.completed("", List.of()).with(List.of(patched())),
                        Plans.NONE)));
    assertTrue(aws.endings().delete(session));
    assertEquals(TurnStatus.COMPLETED, load(job).status());
    assertTrue(aws.sessions().load(session).isEmpty());
  }

  @Test
  void whatCannotBePushedIsRefused() {
    assertEquals(Refusal.Code.NO_CREDENTIAL, refused(false));
    Turn turn = InMemoryAws.accepted(followUp());
    assertTrue(aws.endings().cancel(session, Endings.Cancellation.ALL).isPresent());
    assertFalse(load(turn).live());
    SessionKey unchanged = idle(created());
    assertEquals(
        Refusal.Code.NOTHING_TO_PUSH,
        ((Acceptance.Refused) accept(unchanged, true, null)).refusal().code());
  }

  private SessionKey changed() {
    Turn turn = created();
    Turn running = aws.claimed(turn);
    Ending ending = Ending.completed("done", List.of()).with(List.of(patched()));
    assertTrue(aws.endings().end(running, ending.using(Usage.NONE), Plans.NONE));
    aws.sandboxes().release(load(turn), true, Optional.of(Usage.NONE));
    return turn.key().sessionKey();
  }

  /// A whole job, which pushes.
  private void pushed() {
    Turn job = aws.claimed(accepted());
    Repository.Pushed pushed = new Repository.Pushed("agent/x", "c".repeat(40), clock.instant());
    Repository after = patched().after(pushed, "http://host/1", null);
    Ending done = Ending.completed("", List.of()).with(List.of(after)).using(Usage.NONE);
    assertTrue(aws.endings().end(load(job), done, Plans.NONE));
    aws.sandboxes().release(load(job), true, Optional.of(Usage.NONE));
  }

  private SessionKey idle(Turn turn) {
    assertTrue(aws.endings().cancel(turn.key().sessionKey(), Endings.Cancellation.ALL).isPresent());
    return turn.key().sessionKey();
  }

  private Turn created() {
    Checkout checkout =
        new Checkout(
            RepositoryUrl.of("https://host.example/app.git"),
            null,
            "app",
            50,
            false,
            new Checkout.Credential.Token("robot", "token"),
            null);
    Environment environment = new Environment(Map.of("A", "b"), List.of("NOT_THERE"), "true");
    return aws.accepted(
        NewSessions.with(new SessionInputs(null, List.of(checkout), List.of(), environment)));
  }

  private static Repository patched() {
    return new Repository(
        "https://host.example/app.git",
        null,
        "app",
        "a".repeat(40),
        "a".repeat(40),
        "main",
        new Repository.Changes(1, 1, 0),
        new Repository.Patch(
            new ArtifactId(new UUID(0, 1)), "artifacts/x", "0".repeat(64), "7e".repeat(20)),
        null,
        null,
        null);
  }

  private Turn accepted() {
    return InMemoryAws.accepted(accept(null));
  }

  private Acceptance accept(@Nullable Idempotency idempotency) {
    return accept(session, true, idempotency);
  }

  private Acceptance accept(
      SessionKey key, boolean hasCredential, @Nullable Idempotency idempotency) {
    PullRequestIntake.Wanted wanted = new PullRequestIntake.Wanted(JOB, hasCredential, "key");
    return intake.accept(key, Optional.of(wanted), URL, idempotency);
  }

  private Refusal.Code refused() {
    return refused(true);
  }

  private Refusal.Code refused(boolean hasCredential) {
    return ((Acceptance.Refused) accept(session, hasCredential, null)).refusal().code();
  }

  private Acceptance followUp() {
    return aws.intake().followUp(session, FollowUp.of("more"), URL, null);
  }

  private static String fault(Repository repository) {
    return Objects.requireNonNull(repository.fault()).code();
  }

  private void sweep(TurnKey turn) {
    aws.overdue(clock).handle(new Turns.Due.OfTurn(turn));
  }

  private Session load() {
    return aws.sessions().load(session).orElseThrow();
  }

  private Turn load(Turn any) {
    return aws.turns().load(any.key()).orElseThrow();
  }
}
