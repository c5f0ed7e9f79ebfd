package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The real transitions, in every order and with a fault at every step: each run with up to
/// `deviations`, as far as half of `seconds` goes, then runs drawn at random from `seed`. All three
/// are system properties; what is set here is for every build.
class TransitionsTest {
  private static final int DEVIATIONS = Integer.getInteger("deviations", 2);
  private static final int MORE_DEVIATIONS = 6;
  private static final int SECONDS = Integer.getInteger("seconds", 1);
  private static final long SEED = Long.getLong("seed", 42);

  @ParameterizedTest
  @FieldSource("agentsessions.turn.Scenario#ALL")
  void holdEveryInvariantHoweverTheyInterleave(Scenario scenario) {
    Exploration.Result every = exploration(scenario).everyRun(DEVIATIONS);
    assertEquals(Optional.empty(), every.found());
    Exploration.Result random =
        exploration(scenario).randomRuns(SEED, Integer.MAX_VALUE, MORE_DEVIATIONS);
    assertEquals(Optional.empty(), random.found());
    System.out.printf(
        "%s: %d runs, %d states; %d runs at random%n",
        scenario, every.runs(), every.states(), random.runs());
  }

  private static Exploration exploration(Scenario scenario) {
    long half = TimeUnit.SECONDS.toNanos(SECONDS) / 2;
    return new Exploration(scenario, ScheduledTable.Sabotage.NONE, System.nanoTime() + half);
  }
}
