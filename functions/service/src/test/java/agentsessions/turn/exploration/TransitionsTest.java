package agentsessions.turn.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The real transitions, in every order and with a fault at every step: each run with up to two
/// deviations, the simpler ones first, then runs drawn at random from a seed. A build explores a
/// fixed number of each; what is tagged `deep` explores as many of each as the system property
/// `runs` says.
class TransitionsTest {
  private static final int DEVIATIONS = 2;
  private static final int MORE_DEVIATIONS = 6;
  private static final int RUNS = 50;
  private static final int RANDOM_RUNS = 50;
  private static final int DEEP_RUNS = Integer.getInteger("runs", 2000);
  private static final long SEED = 42;

  @ParameterizedTest
  @FieldSource("agentsessions.turn.exploration.Scenario#ALL")
  void holdEveryInvariantHoweverTheyInterleave(Scenario scenario) {
    explore(scenario, RUNS, RANDOM_RUNS);
  }

  @Tag("deep")
  @ParameterizedTest
  @FieldSource("agentsessions.turn.exploration.Scenario#ALL")
  void holdEveryInvariantThroughAllThatIsAskedFor(Scenario scenario) {
    explore(scenario, DEEP_RUNS, DEEP_RUNS);
  }

  private static void explore(Scenario scenario, int runs, int randomRuns) {
    Exploration exploration = new Exploration(scenario, ScheduledTable.Sabotage.NONE);
    Exploration.Result every = exploration.everyRun(DEVIATIONS, runs);
    assertEquals(Optional.empty(), every.found());
    Exploration.Result random = exploration.randomRuns(SEED, randomRuns, MORE_DEVIATIONS);
    assertEquals(Optional.empty(), random.found());
    System.out.printf(
        "%s: %s %d runs, %d states; %d runs at random%n",
        scenario,
        every.complete() ? "all" : "the first",
        every.runs(),
        every.states(),
        random.runs());
  }
}
