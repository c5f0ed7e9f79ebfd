package agentsessions.chaos.races;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.SharedRig;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.chaos.rig.TurnIds;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Event streams through the local gateway, which keeps them open.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class WatchersTest {
  private static final int LINES = 300;

  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = SharedRig.STILL.rig();
  }

  @Test
  void tenCutsLoseNothingAndRepeatNothing() throws Exception {
    RigSession talk = new RigSession(rig, 4);
    StubRunner runner = talk.runner(talk.create("one")).claimed();
    CompletableFuture<Void> saying = CompletableFuture.runAsync(() -> sayAll(runner));
    Random random = new Random(1);
    try (EventStreamClient watcher = watcher(talk, "")) {
      for (int cut = 0; cut < 10; cut++) {
        watcher.readOnly(1 + random.nextInt(12_000));
      }
      watcher.follow();
      saying.join();
      watcher.await("the end of the turn", event -> event.type().equals("thread.completed"));
      assertEquals(listed(talk), said(watcher));
    }
  }

  @Test
  void eightWatchersSeeTheSameAndKeepNobodyWaiting() throws Exception {
    see(8, 20);
  }

  @Test
  @Tag("deep")
  void sixtyFourWatchersSeeTheSameAndKeepNobodyWaiting() throws Exception {
    see(64, 100);
  }

  /// @param waiting number of long polls by runners beside the watchers
  private static void see(int watchers, int waiting) throws Exception {
    RigSession talk = new RigSession(rig, 4);
    StubRunner runner = talk.runner(talk.create("one")).claimed();
    List<EventStreamClient> crowd = new ArrayList<>();
    String key = rig.service().createKey(talk.workspace());
    for (int i = 0; i < watchers; i++) {
      crowd.add(watcher(talk, key, "").follow());
    }
    List<CompletableFuture<ApiResponse>> held = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      held.add(held(talk));
    }
    runner.say(0, "a", "b", "c").expect(200);
    talk.client().get(talk.path()).expect(200);
    runner.result("done", List.of()).expect(200);
    for (EventStreamClient watcher : crowd) {
      watcher.await("the end of the turn", event -> event.type().equals("thread.completed"));
      Await.await("the same events", Duration.ofSeconds(60), Duration.ofMillis(5))
          .until(watcher::durable, crowd.getFirst().durable()::equals);
      watcher.close();
    }
    for (CompletableFuture<ApiResponse> each : held) {
      // On a slow machine some polls have reached their longest wait, and answer that the turn is
      // live.
      assertTrue(!each.isDone() || isLive(each.join()), "runners are told of their own turns");
    }
  }

  private static boolean isLive(ApiResponse answer) {
    return answer.expect(200).json().path("live").asBoolean();
  }

  @Test
  void aRunnerThatWaitsIsToldWhenAFollowUpComes() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    StubRunner runner = talk.runner(talk.create("one")).claimed();
    CompletableFuture<ApiResponse> waiting = waiting(runner);
    talk.say("two");
    assertFalse(waiting.join().expect(200).json().path("live").asBoolean(true));
  }

  @Test
  void anOpenStreamEndsWhenItsSessionIsDeleted() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    talk.create("one");
    try (EventStreamClient watcher = watcher(talk, "").follow()) {
      watcher.awaitMessage("one");
      talk.client().delete(talk.path()).expect(204);
      assertEquals("{\"reason\":\"deleted\"}", end(watcher));
    }
  }

  /// The local gateway checks the key of an open stream every 20 seconds.
  @Test
  @Tag("deep")
  void anOpenStreamEndsWhenItsKeyIsRevoked() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    talk.create("one");
    String key = rig.service().createKey(talk.workspace());
    try (EventStreamClient watcher = watcher(talk, key, "").follow()) {
      watcher.awaitMessage("one");
      new WorkspaceKeys(rig.table(), "agent-sessions")
          .end(talk.workspace(), ApiKey.parse(key).orElseThrow().id());
      assertEquals("{\"reason\":\"key\"}", end(watcher));
    }
  }

  @Test
  void aThreadsStreamEndsWithTheThread() throws Exception {
    RigSession talk = new RigSession(rig, 1);
    TurnIds turn = talk.create("one");
    try (EventStreamClient watcher = watcher(talk, "/threads/" + turn.thread()).follow()) {
      watcher.awaitMessage("one");
      talk.complete(turn, "two");
      assertEquals("{\"reason\":\"final\"}", end(watcher));
    }
  }

  private static EventStreamClient watcher(RigSession talk, String below) {
    return watcher(talk, rig.service().createKey(talk.workspace()), below);
  }

  private static EventStreamClient watcher(RigSession talk, String key, String below) {
    return new EventStreamClient(rig.service().baseUrl(), key, talk.path() + below + "/events");
  }

  private static String end(EventStreamClient watcher) {
    return watcher.await("the end of the stream", event -> event.type().equals("end")).data();
  }

  private static CompletableFuture<ApiResponse> held(RigSession beside) throws Exception {
    RigSession talk = new RigSession(rig, 1);
    return waiting(talk.runner(talk.create("wait beside " + beside.session())).claimed());
  }

  private static CompletableFuture<ApiResponse> waiting(StubRunner runner) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return runner.awaitEnd(10);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  private static void sayAll(StubRunner runner) {
    try {
      for (int said = 0; said < LINES; said += 10) {
        String[] lines =
            IntStream.range(said, said + 10).mapToObj(i -> "line " + i).toArray(String[]::new);
        runner.say(said, lines).expect(200);
      }
      runner.result("done", List.of()).expect(200);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> listed(RigSession talk) throws Exception {
    return talk
        .items(talk.path() + "/messages?limit=100&type=message&type=tool_call&type=final_message")
        .stream()
        .map(item -> item.path("id").asText())
        .toList();
  }

  private static List<String> said(EventStreamClient watcher) {
    return watcher.events().stream()
        .filter(event -> event.type().equals("message.created"))
        .map(event -> event.data().replaceAll("^\\{\"id\":\"([^\"]+)\".*$", "$1"))
        .collect(Collectors.toList());
  }
}
