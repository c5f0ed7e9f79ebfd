package agentsessions.turn.intake;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSessions;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Sha256;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.message.History;
import agentsessions.store.session.SessionList;
import agentsessions.store.session.Turns;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;

/// A person decides on a plan, after the turn that made it has ended.
class PlanDecisionsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Duration DAYS = Duration.ofDays(3);
  private static final String URL = "http://service";
  private static final String PLAN = "1. Do it.";

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final ContendedTable busy = new ContendedTable(table);
  private final InMemoryBucket bucket = new InMemoryBucket();
  private final InMemoryAws aws = InMemoryAws.of(busy, bucket, new Machine(), clock);
  private final Turn turn = aws.claimed(created());
  private final SessionKey session = turn.key().sessionKey();

  private final List<String> started = new ArrayList<>();

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
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
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
    assertEquals(Request.Status.EXPIRED, kept(request).status());
    assertEquals(List.of(), listed(true));
    assertEquals(Refusal.Code.REQUEST_CLOSED, refused(request, Decision.Word.ALLOW));
    aws.overdue(clock).handle(due().getFirst());
    assertEquals(List.of(), due());
    assertEquals(List.of(request.expired()), listed(false));
    assertEquals(TurnStatus.COMPLETED, load().status());
    assertEquals(List.of(), working());
    waitsNoMore();
  }

  /// Step Functions.
  private final class Machine implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      started.add(request.name());
      return StartExecutionResponse.builder().build();
    }
  }

  private void waitsNoMore() {
    assertEquals(Optional.empty(), session().closingRequest());
    assertEquals(List.of(), listed(true));
  }

  private List<Turns.Due.OfRequest> due() {
    return Shards.live().stream()
        .flatMap(shard -> aws.turns().due(shard, 10).stream())
        .filter(Turns.Due.OfRequest.class::isInstance)
        .map(Turns.Due.OfRequest.class::cast)
        .toList();
  }

  private Request planned() {
    assertTrue(end(List.of(plan())));
    return listed(true).getFirst();
  }

  private boolean end(List<Artifact> artifacts) {
    return aws.endings().end(load(), Ending.completed("done", artifacts), Plans.NONE);
  }

  private Artifact plan() {
    bucket.contents().put("key", PLAN);
    String path = "/workspace/PLAN.md";
    return new Artifact(
        new ArtifactId(new UUID(7, 7)),
        turn.key(),
        path,
        Artifact.planId(session.id(), path),
        PLAN.length(),
        Sha256.hex(PLAN),
        "text/markdown",
        "key",
        clock.instant());
  }

  private Optional<Request> decide(Request request, Decision.Word word, @Nullable String note) {
    return aws.decisions()
        .decide(session, request.id(), new Decisions.Wanted(word, note, Map.of(), null, "decider"));
  }

  private Refusal.Code refused(Request request, Decision.Word word) {
    return assertThrows(Refusal.class, () -> decide(request, word, null)).code();
  }

  private Request kept(Request request) {
    return aws.requests().find(session, request.id()).orElseThrow();
  }

  private List<Request> listed(boolean pending) {
    return aws.requests().ofWorkspace(WORKSPACE, pending, null, 100).requests();
  }

  private List<SessionKey> working() {
    SessionList.Which which = new SessionList.Which.Working();
    List<SessionList.Row> rows =
        aws.list().rows(WORKSPACE, which, false, Layout.LEAST, Layout.GREATEST, true, 1);
    return rows.stream().map(row -> row.session().orElseThrow().key()).toList();
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

  private Turn created() {
    ToolPermissions permissions =
        new ToolPermissions(
            ToolPermissions.Policy.ALLOW,
            List.of(),
            new ToolPermissions.Asking(false, 60, false, true, (int) DAYS.toDays()));
    return aws.accepted(NewSessions.with(permissions, "asker"));
  }

  private void followUp(String text) {
    Turn _ = accepted(aws.intake().followUp(session, FollowUp.of(text), URL, null));
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  private Turn current() {
    return aws.turns().load(session().current()).orElseThrow();
  }

  private Session session() {
    return aws.sessions().load(session).orElseThrow();
  }
}
