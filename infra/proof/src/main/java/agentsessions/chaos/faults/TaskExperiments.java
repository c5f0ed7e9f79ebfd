package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

/// The experiments on operations that exist only where each session has a task of its own.
public final class TaskExperiments {
  /// The names say which request the service receives.
  public static List<Experiment> all() {
    return List.of(
        Experiment.begin("begin, by a task"),
        new Experiment(
            "standby",
            true,
            ExperimentRun::claim,
            scene -> scene.runner().standBy(300).expect(200),
            scene -> assertTrue(scene.runner().next().expect(200).json().isEmpty())),
        new Experiment(
            "next, nothing yet",
            false,
            scene -> {
              scene.claim();
              scene.runner().standBy(300).expect(200);
            },
            scene -> assertTrue(scene.runner().next().expect(200).json().isEmpty()),
            Experiment::nothing));
  }

  private TaskExperiments() {}
}
