package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The real transitions, in every order and with a fault at every step, up to a bound; the bounds
/// grow with the system properties `deviations` and `seconds`.
class TransitionsTest {
  private static final int DEVIATIONS = Integer.getInteger("deviations", 2);
  private static final int SECONDS = Integer.getInteger("seconds", 4);

  @ParameterizedTest
  @FieldSource("agentsessions.turn.Scenario#ALL")
  void holdEveryInvariantHoweverTheyInterleave(Scenario scenario) {
    long begun = System.nanoTime();
    Exploration.Result result =
        new Exploration(
                scenario, ScheduledTable.Sabotage.NONE, begun + TimeUnit.SECONDS.toNanos(SECONDS))
            .everyRun(DEVIATIONS);
    System.out.printf(
        "%s: %d runs, %d states, %d ms%n",
        scenario,
        result.runs(),
        result.states(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    assertEquals(Optional.empty(), result.found());
  }
}
