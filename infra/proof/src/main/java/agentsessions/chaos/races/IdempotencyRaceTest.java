package agentsessions.chaos.races;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.SharedRig;
import agentsessions.chaos.rig.TurnIds;
import agentsessions.talk.ApiResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeAction;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValueUpdate;

/// Idempotency keys under concurrency: a repeated request is done once, and answered the same.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class IdempotencyRaceTest {
  private static final int EQUAL = 64;
  private static final int DIFFERENT = 16;
  private static final String[] KEY = {"Idempotency-Key", "the key"};

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.STILL.rig();
  }

  @Test
  void equalCreatesAtOnceMakeOneSession() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    Set<JsonNode> bodies = atOnce(EQUAL, () -> talk.post("one", KEY));
    assertEquals(1, bodies.size());
    List<JsonNode> sessions = talk.items("/sessions");
    assertEquals(1, sessions.size());
    talk.created(talk.post("one", KEY).expect(201));
    assertEquals(List.of("user: one"), talk.history());
    assertEquals(List.of("queued"), talk.statuses());
  }

  @Test
  void equalFollowUpsAtOnceMakeOneTurn() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    talk.runner(talk.create("one")).claimed();
    assertEquals(1, atOnce(EQUAL, () -> talk.send("two", KEY)).size());
    assertEquals(List.of("user: one", "user: two"), talk.history());
    assertEquals(List.of("interrupted", "queued"), talk.statuses());
  }

  @Test
  void differentFollowUpsAtOnceAreAllAcceptedInAChain() throws Exception {
    RigSession talk = new RigSession(rig, 2);
    talk.create("one");
    atOnce(DIFFERENT, () -> talk.send("more"));
    assertEquals(1 + DIFFERENT, talk.history().size());
    List<JsonNode> threads = talk.items(talk.path() + "/threads?limit=100");
    assertEquals(1 + DIFFERENT, threads.size());
    for (int i = 0; i < DIFFERENT; i++) {
      assertEquals(
          threads.get(i + 1).path("id"), threads.get(i).path("superseded_by"), "thread " + i);
    }
  }

  @Test
  void anotherBodyIsRefusedAndAnotherWorkspaceIsAnother() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    talk.create("one", KEY);
    talk.say("two", KEY); // no repeat: another path
    assertEquals("IDEMPOTENCY_KEY_REUSED", talk.post("other", KEY).expect(409).text("/code"));
    assertEquals("IDEMPOTENCY_KEY_REUSED", talk.send("other", KEY).expect(409).text("/code"));
    RigSession stranger = new RigSession(rig, 1);
    stranger.create("one", KEY);
    assertNotEquals(talk.session(), stranger.session());
    assertEquals(List.of("user: one", "user: two"), talk.history());
  }

  @Test
  void aRepeatComesBeforeTheJudgementOfTheSession() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    TurnIds first = talk.create("one");
    Map<String, String> body = Map.of("message", "two", "if_thread_id", first.thread());
    ApiResponse sent = talk.client().post(talk.path() + "/messages", body, KEY).expect(201);
    ApiResponse again = talk.client().post(talk.path() + "/messages", body, KEY).expect(201);
    assertEquals(sent.body(), again.body());
    assertEquals("true", again.headers().firstValue("Idempotent-Replayed").orElse(""));
    assertEquals(
        "THREAD_CHANGED",
        talk.client().post(talk.path() + "/messages", body).expect(409).text("/code"));
  }

  @Test
  void aKeyIsKeptForTwentyFourHours() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    TurnIds turn = talk.create("one", KEY);
    TurnIds next = talk.say("two", KEY);
    age(talk, Duration.ofHours(23));
    assertEquals(turn, talk.created(talk.post("one", KEY)));
    assertEquals(next, talk.say("two", KEY));
    age(talk, Duration.ofHours(1));
    String session = talk.session();
    assertNotEquals(next, talk.say("two", KEY));
    assertNotEquals(turn, talk.created(talk.post("one", KEY).expect(201)));
    assertNotEquals(session, talk.session());
    assertEquals(2, talk.items("/sessions").size());
  }

  /// The different bodies of concurrent answers, all of which must be 201.
  private static Set<JsonNode> atOnce(int count, Callable<ApiResponse> request) throws Exception {
    Set<JsonNode> bodies = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<ApiResponse>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(request);
      }
      for (Future<ApiResponse> done : threads.invokeAll(all)) {
        bodies.add(done.get().expect(201).json());
      }
    }
    return bodies;
  }

  /// Moves the expiry of the kept answers back by this time, as if it had passed.
  private static void age(RigSession talk, Duration time) {
    rig.table().scanPaginator(scan -> scan.tableName("agent-sessions")).items().stream()
        .filter(item -> text(item, "PK").startsWith("W#" + talk.workspace() + "#IDEM#"))
        .forEach(item -> age(text(item, "PK"), item, time));
  }

  private static void age(String key, Map<String, AttributeValue> item, Duration time) {
    long expires = Long.parseLong(item.getOrDefault("expires_at", AttributeValue.fromN("0")).n());
    AttributeValueUpdate earlier =
        AttributeValueUpdate.builder()
            .action(AttributeAction.PUT)
            .value(AttributeValue.fromN(Long.toString(expires - time.toSeconds())))
            .build();
    rig.table()
        .updateItem(update ->
            update
                .tableName("agent-sessions")
                .key(Map.of("PK", AttributeValue.fromS(key), "SK", AttributeValue.fromS("0")))
                .attributeUpdates(Map.of("expires_at", earlier)));
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return item.getOrDefault(name, AttributeValue.fromS("")).s();
  }
}
