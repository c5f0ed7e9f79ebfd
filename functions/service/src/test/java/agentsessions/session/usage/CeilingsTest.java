package agentsessions.session.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.rule.Ceiling;
import agentsessions.rule.UsedTokens;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The usage, estimates included, is held against the ceilings.
class CeilingsTest {
  private static final UsedTokens TOKENS = new UsedTokens(10, 20, 30, 40, 0);

  @Test
  void aCeilingIsReachedByWhatAllModelsUsed() {
    Ceilings most = new Ceilings(null, 200L, null, null);
    assertEquals(Optional.empty(), most.reached(spent(1, Usage.Guess.NONE)));
    assertEquals(
        Optional.of("The session's ceiling of 200 tokens is reached; used: 200."),
        most.reached(spent(2, Usage.Guess.NONE)).map(Ceiling::sentence));
  }

  @Test
  void whatIsOnlyGuessedCountsForCeilingsAndIsNotTold() {
    Ceilings most = new Ceilings(4_000_000L, null, null, null);
    UsageTotal spent = spent(1, new Usage.Guess(0, 1_500_000));
    assertEquals(
        Optional.of("The session's ceiling of $4 is reached; used: $4."),
        most.reached(spent).map(Ceiling::sentence));
    assertEquals(Optional.of(2_500_000L), spent.cost());
  }

  @Test
  void aMessagesCeilingsAreBeforeItsSessions() {
    Ceilings own = new Ceilings(null, 1L, null, null);
    Ceilings sessions = new Ceilings(5L, 9L, null, null);
    assertEquals(new Ceilings(5L, 1L, null, null), own.over(sessions));
  }

  private static UsageTotal spent(int times, Usage.Guess guess) {
    Usage.OfModel model = new Usage.OfModel("a", 1, TOKENS, 2_500_000L);
    UsageTotal once = UsageTotal.of(new Usage(1, List.of(model), 0, true, guess));
    return times == 1 ? once : once.plus(once);
  }
}
