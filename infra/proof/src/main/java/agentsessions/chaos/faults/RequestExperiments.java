package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/// The experiments on what waits for a person's decision: a turn that is held, and a plan.
final class RequestExperiments {
  private RequestExperiments() {}

  static List<Experiment> all() {
    return List.of(
        new Experiment(
            "ask",
            true,
            ExperimentRun::claim,
            RequestExperiments::ask,
            scene -> {
              assertEquals(1, scene.talk.items(scene.talk.path() + "/requests").size());
              is(scene, "pending");
            }),
        new Experiment(
            "is it decided",
            false,
            RequestExperiments::hold,
            scene -> is(scene, "pending"),
            Experiment::nothing),
        new Experiment(
            "decide",
            true,
            RequestExperiments::hold,
            RequestExperiments::decide,
            scene -> goesOn(scene, "decided")),
        new Experiment(
            "expire",
            true,
            RequestExperiments::hold,
            scene -> scene.runner().expire(scene.id).expect(200),
            scene -> goesOn(scene, "expired")),
        new Experiment(
            "park",
            true,
            RequestExperiments::holdParkable,
            RequestExperiments::leave,
            scene -> assertEquals(List.of("requires_action"), scene.talk.statuses())),
        new Experiment(
            "decide, parked",
            true,
            RequestExperiments::park,
            RequestExperiments::decide,
            scene -> {
              assertEquals(List.of("queued"), scene.talk.statuses());
              assertEquals("run", scene.talk.runner(scene.turn()).begin(2));
            }),
        new Experiment(
            "claim, decided",
            true,
            scene -> {
              park(scene);
              decide(scene);
              scene.runner = scene.talk.runner(scene.turn());
              assertEquals("run", scene.runner().begin(2));
            },
            scene ->
                assertEquals(
                    "allow", scene.runner().claim(0).expect(200).text("/work/parked/decision")),
            scene -> scene.runner().result("two", List.of()).expect(200)),
        new Experiment(
            "decide, a plan",
            true,
            RequestExperiments::plan,
            RequestExperiments::decide,
            scene -> {
              assertEquals(List.of("completed", "queued"), scene.talk.statuses());
              assertEquals(List.of(), scene.talk.items("/requests"));
            }));
  }

  /// A turn that has ended with a plan, which waits.
  private static void plan(ExperimentRun scene) throws Exception {
    Map<String, Object> body =
        Map.of("agent_name", "shell", "message", "one", "permissions", Map.of("plan", "approve"));
    scene.turn = scene.talk.created(scene.talk.client().post("/sessions", body).expect(201));
    scene.runner = scene.talk.runner(scene.turn()).claimed();
    List<Map<String, Object>> plan = scene.runner().plan("/workspace/PLAN.md");
    scene.runner().result("planned", plan).expect(200);
    scene.runner().release().expect(200);
    JsonNode request = scene.talk.items("/requests").getFirst();
    scene.id = request.path("id").asText();
    scene.fingerprint = request.path("fingerprint").asText();
  }

  private static void decide(ExperimentRun scene) {
    scene
        .talk
        .client()
        .post(
            scene.talk.path() + "/requests/" + scene.id + "/decision",
            Map.of("decision", "allow", "fingerprint", scene.fingerprint))
        .expect(200);
  }

  private static void hold(ExperimentRun scene) throws Exception {
    scene.claim();
    ask(scene);
  }

  private static void holdParkable(ExperimentRun scene) throws Exception {
    scene.claim();
    scene.id = scene.runner().askParkable("call").expect(200).text("/id");
  }

  private static void park(ExperimentRun scene) throws Exception {
    holdParkable(scene);
    leave(scene);
  }

  private static void leave(ExperimentRun scene) {
    assertEquals("true", scene.runner().park(scene.id).expect(200).text("/parked"));
  }

  private static void ask(ExperimentRun scene) {
    scene.id = scene.runner().ask("call").expect(200).text("/id");
  }

  private static void is(ExperimentRun scene, String status) {
    assertEquals(status, scene.runner().decision(scene.id).expect(200).text("/status"));
  }

  private static void goesOn(ExperimentRun scene, String status) {
    is(scene, status);
    assertEquals(List.of("running"), scene.talk.statuses());
  }
}
