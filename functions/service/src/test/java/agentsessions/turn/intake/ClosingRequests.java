package agentsessions.turn.intake;

import static agentsessions.aws.InMemoryAws.accepted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSession;
import agentsessions.session.NewSessions;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.session.SessionList;
import agentsessions.store.session.Turns;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import software.amazon.awssdk.services.sfn.model.StopExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StopExecutionResponse;

/// A session whose first turn has been claimed, and whose end is to leave a request: what the tests
/// of such requests share.
abstract class ClosingRequests {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final String URL = "http://service";

  /// The time after which a request expires.
  static final Duration DAYS = Duration.ofDays(3);

  final SettableClock clock = new SettableClock();
  final ContendedTable busy = new ContendedTable(new InMemoryTable(InMemoryAws.TABLE));
  final InMemoryBucket bucket = new InMemoryBucket();
  final List<String> started = new ArrayList<>();
  final InMemoryAws aws = InMemoryAws.of(busy, bucket, new Machine(), clock);
  final Turn turn;
  final SessionKey session;
  private final SessionInputs inputs;
  private final ToolPermissions permissions;

  ClosingRequests(SessionInputs inputs, ToolPermissions permissions) {
    this.inputs = inputs;
    this.permissions = permissions;
    this.turn = aws.claimed(created());
    this.session = turn.key().sessionKey();
  }

  /// Step Functions.
  private final class Machine implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      started.add(request.name());
      return StartExecutionResponse.builder().build();
    }

    @Override
    public StopExecutionResponse stopExecution(StopExecutionRequest request) {
      return StopExecutionResponse.builder().build();
    }
  }

  final Turn created() {
    NewSession newSession = NewSessions.with(inputs, permissions, "asker");
    return accepted(aws.intake().create(WORKSPACE, newSession, URL, null));
  }

  final void waitsNoMore() {
    assertEquals(Optional.empty(), session().closingRequest());
    assertEquals(List.of(), listed(true));
    assertEquals(0, pending());
  }

  /// As whoever reads the thread is told.
  final int pending() {
    return aws.turns().find(turn.key()).orElseThrow().turn().pendingRequests();
  }

  final List<Turns.Due.OfRequest> due() {
    return Shards.live().stream()
        .flatMap(shard -> aws.turns().due(shard, 10).stream())
        .filter(Turns.Due.OfRequest.class::isInstance)
        .map(Turns.Due.OfRequest.class::cast)
        .toList();
  }

  final Optional<Request> decide(Request request, Decision.Word word, @Nullable String note) {
    return decide(request, word, note, "decider");
  }

  /// @param key the API key that decides
  final Optional<Request> decide(
      Request request, Decision.Word word, @Nullable String note, String key) {
    return aws.decisions()
        .decide(
            session,
            request.id(),
            new Decisions.Wanted(word, note, Map.of(), request.fingerprint(), key));
  }

  final Refusal.Code refused(Request request, Decision.Word word) {
    return refused(() -> decide(request, word, null));
  }

  static Refusal.Code refused(Executable action) {
    return assertThrows(Refusal.class, action).code();
  }

  final Request kept(Request request) {
    return aws.requests().find(session, request.id()).orElseThrow();
  }

  final List<Request> listed(boolean pending) {
    return aws.requests().ofWorkspace(WORKSPACE, pending, null, 100).requests();
  }

  final List<SessionKey> working() {
    SessionList.Which which = new SessionList.Which.Working();
    List<SessionList.Row> rows =
        aws.list().rows(WORKSPACE, which, false, Layout.LEAST, Layout.GREATEST, true, 1);
    return rows.stream().map(row -> row.session().orElseThrow().key()).toList();
  }

  final void followUp(String text) {
    Turn _ = accepted(aws.intake().followUp(session, FollowUp.of(text), URL, null));
  }

  final Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }

  final Turn current() {
    return aws.turns().load(session().current()).orElseThrow();
  }

  final Session session() {
    return aws.sessions().load(session).orElseThrow();
  }
}
