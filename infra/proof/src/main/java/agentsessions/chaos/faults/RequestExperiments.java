package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;

/// The experiments on a turn that is held for a person's decision.
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
            scene ->
                scene
                    .talk
                    .client()
                    .post(
                        scene.talk.path() + "/requests/" + scene.id + "/decision",
                        Map.of("decision", "allow"))
                    .expect(200),
            scene -> goesOn(scene, "decided")),
        new Experiment(
            "expire",
            true,
            RequestExperiments::hold,
            scene -> scene.runner().expire(scene.id).expect(200),
            scene -> goesOn(scene, "expired")));
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
