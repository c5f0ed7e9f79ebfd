package agentsessions.chaos.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.PresignedLink;
import com.atlassian.oai.validator.model.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The service follows the runner protocol of `infra/runner.yaml`: each of its operations, in a
/// turn's order.
@Tag("chaos")
@Order(SharedRig.ORDER_OF_TASKS)
class RunnerContractTest {
  @Test
  void everyOperationIsAsTheContractSays() throws Exception {
    Rig rig = SharedRig.OF_TASKS.rig();
    RunnerContract.forget();
    RigSession talk = new RigSession(rig, 1);
    TurnIds turn = talk.create("one");
    StubRunner unable = talk.runner(turn);
    assertEquals("run", unable.begin());
    unable.refuse().expect(200);
    assertEquals(Optional.of("agentsessions.runner.turn.OtherSession"), rig.said(turn, 1));
    StubRunner runner = talk.runner(turn).claimed();
    unable.refuse().expect(409);
    assertTrue(runner.live().expect(200).json().path("live").asBoolean());
    assertTrue(runner.lease().expect(200).json().path("live").asBoolean());
    String asked = runner.ask("1").expect(200).text("/id");
    assertEquals(asked, runner.ask("1").expect(200).text("/id"));
    assertEquals("pending", runner.decision(asked).expect(200).text("/status"));
    assertFalse(runner.park(asked).expect(200).json().path("parked").asBoolean());
    assertEquals("expired", runner.expire(asked).expect(200).text("/status"));
    runner.say(0, "a").expect(200);
    runner.commit(1, "0123456789".repeat(4)).expect(200);
    runner.commit(1, "0123456789".repeat(4)).expect(200);
    runner.commit(2, "0123456789abcdef".repeat(4)).expect(200);
    runner.result("two", runner.plan("/workspace/PLAN.md")).expect(200);
    runner.say(1, "late").expect(409);
    runner.commit(3, "0123456789".repeat(4)).expect(409);
    runner.save("a sandbox").expect(200);
    runner.standBy(300).expect(200);
    runner.release().expect(200);
    assertTrue(runner.next().expect(200).json().isEmpty());
    TurnIds next = talk.say("three");
    CompletableFuture<StubRunner> taken =
        CompletableFuture.supplyAsync(() -> talk.runner(next).takes(runner, offered(runner)));
    assertEquals(Optional.empty(), rig.run(next, 1), "no other task is started");
    StubRunner warm = taken.join();
    warm.claim(0).expect(200);
    warm.result("four", List.of()).expect(200);
    warm.standBy(300).expect(200);
    runner.standBy(300).expect(409);
    assertEquals(RunnerContract.documented(), RunnerContract.seen());
    ApiResponse late = runner.uploads(1).expect(409);
    assertEquals("NOT_LIVE", late.text("/code"));
    assertThrows(
        AssertionError.class,
        () -> RunnerContract.held(Request.Method.POST, "/uploads", "{\"count\":1}", late));
    assertEquals(
        List.of("user: one", "assistant: a", "assistant: two", "user: three", "assistant: four"),
        talk.history());
  }

  @Test
  void aTurnIsParkedUntilADecisionAndGoesOnWithAnotherRunner() throws Exception {
    Rig rig = SharedRig.OF_TASKS.rig();
    RigSession talk = new RigSession(rig, 1);
    TurnIds turn = talk.create("one");
    StubRunner runner = talk.runner(turn).claimed();
    runner.say(0, "a").expect(200);
    String asked = runner.askParkable("1").expect(200).text("/id");
    runner.save("a sandbox").expect(200);
    for (int times = 0; times < 2; times++) {
      assertTrue(runner.park(asked).expect(200).json().path("parked").asBoolean());
    }
    assertFalse(runner.live().expect(200).json().path("live").asBoolean());
    runner.say(1, "late").expect(409);
    runner.expire(asked).expect(409);
    assertEquals(List.of("requires_action"), talk.statuses());
    assertEquals(5, talk.poll(turn).json().path("poll_after_seconds").asInt());
    assertEquals("requires_action", talk.client().get(talk.path()).expect(200).text("/status"));
    talk.client()
        .post(talk.path() + "/requests/" + asked + "/decision", Map.of("decision", "allow"))
        .expect(200);
    assertEquals(List.of("queued"), talk.statuses());
    StubRunner next = talk.runner(turn);
    assertEquals("run", next.begin(2));
    ApiResponse claim = next.claim(0).expect(200);
    assertEquals("1", claim.text("/work/parked/call"));
    assertEquals("allow", claim.text("/work/parked/decision"));
    assertEquals(2, claim.json().at("/work/used/requests").asInt());
    assertFalse(claim.text("/snapshot_url").isEmpty());
    runner.park(asked).expect(409);
    next.say(1, "b").expect(200);
    next.result("two", List.of()).expect(200);
    next.save("a sandbox").expect(200);
    next.release().expect(200);
    assertEquals(
        List.of("user: one", "assistant: a", "assistant: b", "assistant: two"), talk.history());
    assertEquals(
        2, talk.client().get(talk.path()).expect(200).json().at("/usage/model_requests").asInt());
  }

  /// Polls until the next turn is offered; the launcher may take a while.
  private static ApiResponse offered(StubRunner runner) {
    ApiResponse next = runner.next().expect(200);
    for (int tries = 0; next.json().isEmpty() && tries < 1000; tries++) {
      next = runner.next().expect(200);
    }
    return next;
  }

  @Test
  void aPlaceTakesAFileOfTheSizeThatWasSaidAndNoOther() throws Exception {
    Rig rig = SharedRig.OF_TASKS.rig();
    RigSession talk = new RigSession(rig, 1);
    StubRunner runner = talk.runner(talk.create("one")).claimed();
    ApiResponse places = runner.uploads(0, 4).expect(200);
    assertEquals(403, PresignedLink.put(places.text("/uploads/0/url"), new byte[1]));
    assertEquals(403, PresignedLink.put(places.text("/uploads/1/url"), new byte[3]));
    assertEquals(200, PresignedLink.put(places.text("/uploads/0/url"), new byte[0]));
    assertEquals(200, PresignedLink.put(places.text("/uploads/1/url"), new byte[4]));
  }
}
