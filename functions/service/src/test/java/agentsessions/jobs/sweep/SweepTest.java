package agentsessions.jobs.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.MeteredTable;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.testing.SettableClock;
import agentsessions.turn.NotedBucket;
import agentsessions.turn.SlowTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;

/// A pass over what is due, when there is much of it and some of it fails.
class SweepTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration LAST_LOOK = Duration.ofMinutes(71);

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final InMemoryBucket bucket = new InMemoryBucket();
  private final Queue<String> order = new ConcurrentLinkedQueue<>();
  private final Starts starts = new Starts(order);
  private final InMemoryAws aws = InMemoryAws.of(table, bucket, starts, clock);

  @Test
  void aTurnIsLookedAtBeforeAnyOfTwoThousandDeletedSessions() {
    IntStream.range(0, 2000).forEach(_ -> deleted());
    Turn lost = aws.accepted();
    clock.pass(LONG);
    order.clear();
    InMemoryAws shared =
        InMemoryAws.of(new SlowTable(table, 0, 0), new NotedBucket(bucket, order), starts, clock);
    sweep(shared, 45, 8).run(LONG);
    assertEquals(lost.id().toString(), order.peek());
    assertTrue(order.contains(NotedBucket.REMOVAL));
  }

  @Test
  void aDeletedSessionIsForgottenWhenNoUploadCanComeAnyMore() {
    SessionId gone = deleted();
    passes(3);
    assertEquals(List.of("0#META"), left(gone));
    bucket.contents().put("artifacts/%s/late".formatted(gone), "uploaded by an old link");
    clock.pass(LAST_LOOK);
    passes(3);
    assertEquals(Map.of(), bucket.contents());
    clock.pass(LAST_LOOK);
    passes(1);
    assertEquals(List.of(), left(gone));
  }

  /// The session is forgotten last, so that whatever ends in between its folder is still noted.
  @Test
  void theFolderOfADeletedSessionIsNotedUntilItIsRemoved() {
    SessionKey gone = aws.accepted().key().sessionKey();
    assertTrue(aws.endings().delete(gone));
    InMemoryTable.Key note = new InMemoryTable.Key("W#w#FOLDERS", gone.id().toString());
    SessionPurge purge =
        new SessionPurge(
            new Table(table, InMemoryAws.TABLE, new ChangeSignal(true)),
            aws.bucket(),
            aws.stops(),
            clock,
            "machine");
    assertTrue(purge.step(gone));
    assertTrue(table.contents().containsKey(note));
    table.contents().remove(note);
    while (purge.step(gone)) {
      assertTrue(table.contents().containsKey(note));
    }
    assertEquals(List.of(), left(gone.id()));
  }

  @Test
  void noFolderIsNotedWhereNoneStaysOnAMachine() {
    SessionId gone = deleted();
    passes(3);
    clock.pass(LAST_LOOK);
    passes(1);
    assertEquals(List.of(), left(gone));
    assertFalse(table.contents().keySet().stream().anyMatch(key -> key.pk().contains("FOLDERS")));
  }

  @Test
  void aPassReadsTheSameBesideAnyNumberOfSessions() {
    assertEquals(readBeside(10), readBeside(10_000));
  }

  private List<Long> readBeside(int sessions) {
    IntStream.range(0, sessions)
        .mapToObj(_ -> partition(new SessionId(UUID.randomUUID())))
        .map(pk -> Map.of("PK", AttributeValue.fromS(pk), "SK", AttributeValue.fromS("0#META")))
        .forEach(item -> table.contents().put(InMemoryTable.key(item), item));
    MeteredTable metered = new MeteredTable(table);
    sweep(InMemoryAws.of(metered, bucket, starts, clock), 45, 1).run(LONG);
    return List.of((long) metered.calls(), metered.read());
  }

  @Test
  void aSessionIsKeptInMindAsLongAsAnObjectOfItIsNotRemoved() {
    SessionId gone = deleted();
    String object = "artifacts/%s/x".formatted(gone);
    bucket.contents().put(object, "text");
    bucket.refuse(object);
    for (int i = 0; i < 4; i++) {
      passes(2);
      clock.pass(LAST_LOOK);
    }
    assertFalse(left(gone).isEmpty(), "forgotten, with an object left");
    bucket.refuse("nothing");
    for (int i = 0; i < 3; i++) {
      passes(2);
      clock.pass(LAST_LOOK);
    }
    assertEquals(List.of(), left(gone));
    assertEquals(Map.of(), bucket.contents());
  }

  @Test
  void aDeletionThatFailsDelaysNoOther() {
    SessionId broken = deleted();
    bucket.breakAt(broken.toString());
    List<SessionId> others = IntStream.range(0, 20).mapToObj(_ -> deleted()).toList();
    passes(3);
    assertTrue(left(broken).size() > 1);
    others.forEach(other -> assertEquals(List.of("0#META"), left(other)));
  }

  /// As many as one look finds would keep all others from being seen.
  @Test
  void aDeletionThatFailsIsPutOff() {
    SessionId broken = deleted();
    bucket.breakAt(broken.toString());
    passes(1);
    Map<String, AttributeValue> meta =
        Objects.requireNonNull(
            table.contents().get(new InMemoryTable.Key(partition(broken), "0#META")));
    assertTrue(left(broken).size() > 1);
    assertTrue(Long.parseLong(Objects.requireNonNull(meta.get("due_at")).n()) > clock.millis());
  }

  @Test
  void aTurnThatCannotBeReadDelaysNoOtherAndIsPutOff() {
    Turn broken = aws.accepted();
    change(broken, "status", AttributeValue.fromS("ODD"));
    Turn lost = aws.accepted();
    clock.pass(LONG);
    order.clear();
    sweep(aws, 45, 1).run(LONG);
    assertTrue(order.contains(lost.id().toString()));
    assertTrue(Long.parseLong(item(broken, "due_at").n()) > clock.millis());
  }

  /// As where the service of one machine was killed before a runner claimed.
  @Test
  void whatRunnersHadNotClaimedThatAllEndedIsStartedAtOnce() {
    Turn lost = aws.accepted();
    assertTrue(aws.dispatches().recordLaunch(lost, "hash", Duration.ofSeconds(90)));
    clock.pass(Duration.ofSeconds(1));
    Instant end = clock.instant();
    Turn later = aws.accepted();
    order.clear();
    sweep(aws, 45, 1).recover(end);
    assertEquals(List.of(lost.id().toString()), List.copyOf(order));
    Turn again = aws.turns().load(lost.key()).orElseThrow();
    Turn.State.Queued queued = assertInstanceOf(Turn.State.Queued.class, again.state());
    assertEquals(2, again.dispatch());
    assertEquals(0, queued.unclaimedStarts());
    assertEquals(1, aws.turns().load(later.key()).orElseThrow().dispatch());
  }

  @Test
  void aPassThatHasNoTimeBeginsNothing() {
    aws.accepted();
    clock.pass(LONG);
    order.clear();
    sweep(aws, 45, 1).run(Duration.ZERO);
    assertTrue(order.isEmpty());
  }

  private void passes(int count) {
    for (int i = 0; i < count; i++) {
      clock.pass(Duration.ofSeconds(2));
      sweep(aws, 45, 1).run(LONG);
    }
  }

  /// The in-memory table is for one thread at a time, so only one that is guarded has a crew.
  private Sweep sweep(InMemoryAws on, int seconds, int atOnce) {
    OverdueTurns overdue = on.overdue(clock);
    return new Sweep(
        on.turns(), overdue, on.purge(), on.sandboxes(), on.stops(), on.unsent(), seconds, atOnce);
  }

  private SessionId deleted() {
    SessionKey key = aws.accepted().key().sessionKey();
    assertTrue(aws.endings().delete(key));
    return key.id();
  }

  private void change(Turn turn, String name, AttributeValue value) {
    table.contents().computeIfPresent(key(turn), (_, item) -> with(item, name, value));
  }

  private AttributeValue item(Turn turn, String name) {
    return Objects.requireNonNull(
        Objects.requireNonNull(table.contents().get(key(turn))).get(name));
  }

  private static InMemoryTable.Key key(Turn turn) {
    return new InMemoryTable.Key(partition(turn.sessionId()), "T#" + turn.id());
  }

  private static Map<String, AttributeValue> with(
      Map<String, AttributeValue> item, String name, AttributeValue value) {
    Map<String, AttributeValue> changed = new HashMap<>(item);
    changed.put(name, value);
    return changed;
  }

  private List<String> left(SessionId id) {
    List<String> left = new ArrayList<>();
    table.contents().keySet().stream()
        .filter(key -> key.pk().equals(partition(id)))
        .forEach(key -> left.add(key.sk()));
    return left;
  }

  private static String partition(SessionId id) {
    return "W#" + WORKSPACE + "#S#" + id;
  }

  /// Step Functions, which only notes what it was asked to start.
  private record Starts(Queue<String> order) implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      order.add(request.name().substring(0, 36));
      return StartExecutionResponse.builder().build();
    }
  }
}
