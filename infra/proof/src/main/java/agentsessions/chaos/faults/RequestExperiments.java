package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    scene.id = scene.talk.items("/requests").getFirst().path("id").asText();
  }

  private static void decide(ExperimentRun scene) {
    scene
        .talk
        .client()
        .post(
            scene.talk.path() + "/requests/" + scene.id + "/decision", Map.of("decision", "allow"))
        .expect(200);
  }

  private static void hold(ExperimentRun scene) throws Exception {
    scene.claim();
    ask(scene);
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
